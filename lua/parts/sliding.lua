-- Part of weigh: the estimate of a sliding window from this fixed window and the share of the one before it.
-- Finds what was used in this window and in the one before.
-- Reads isPeek, keys, width, total, requests, first, last, held, given, inForce, limit, most, period, now, second.
-- Writes found, denied, failure, key, at, slot.
local share = (period - now % period) / period
local life = not isPeek and millis(2 * period - now % period + second)
for request = first, last do
  local cost = given and given[request] or 1
  if isPeek then
    local current, previous = whole(held[slot] or "0"), whole(held[slot + requests] or "0")
    -- Either being no number makes both so.
    found[at], found[at + total] = current + previous * 0, previous
    if inForce and previous * share + current + (cost > 0 and cost or 1) > limit then denied[request] = true end
  elseif cost > 0 and not denied[request] and found[at + total] * share + found[at] + cost <= most then
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
