-- Part of weigh: the estimate of a sliding window from this fixed window and the share of the one before it.
-- Finds what was used in this window and in the one before.
local share = (period - now % period) / period
local life = not isPeek and millis(2 * period - now % period + second)
for load = first, last do
  local cost = given and given[load] or 1
  if isPeek then
    local current, previous = whole(held[slot] or "0"), whole(held[slot + loads] or "0")
    -- Either being no number makes both so.
    found[at], found[at + total] = current + previous * 0, previous
    if inForce and previous * share + current + cost > limit then denied[load] = true end
  elseif cost > 0 and not denied[load] and found[at + total] * share + found[at] + cost <= limit then
    local amount, reply = format("%.0f", cost), nil
    if held[slot] then reply = pcall("INCRBY", keys[key], amount)
    else reply = pcall("SET", keys[key], amount, "PX", life, "GET") end
    if type(reply) == "table" then
      found[at] = nan
      failure = failure or not isForeign(reply) and reply
    end
  end
  key, slot, at = key + width, slot + 1, at + 1
end
