-- Part of weigh: a window that opens with its first hit. The key holds what was used and when the window ends.
-- Finds both; 0 and a whole period from now for a window that this request would open.
-- Reads isPeek, keys, width, total, first, last, held, given, inForce, limit, most, period, now, isCharging, second.
-- Writes found, denied, failure, key, at, slot.
-- A charge has the moment of its requests, which is a little in the past.
local margin = isCharging and second or 0
for request = first, last do
  local cost = given and given[request] or 1
  if isPeek then
    local value, used, ends = held[slot], 0, now + period
    if value then
      local count, till = pair(value)
      if not (till <= now) then used, ends = count, till end
    end
    found[at], found[at + total] = used, ends
    if inForce and used + (cost > 0 and cost or 1) > limit then denied[request] = true end
  elseif cost > 0 and not denied[request] and found[at] + cost <= most then
    local ends = found[at + total]
    local reply = pcall("SET", keys[key], pack("<dd", found[at] + cost, ends), "PX", millis(ends - now + margin), "GET")
    if type(reply) == "table" then
      found[at] = nan
      failure = failure or not isForeign(reply) and reply
    end
  end
  key, slot, at = key + width, slot + 1, at + 1
end
