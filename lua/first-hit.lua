-- Part of weigh: a window that opens with its first hit. The key holds what was used and when the window ends.
-- Finds both; 0 and a whole period from now for a window that this load would open.
for load = first, last do
  local cost = given and given[load] or 1
  if isPeek then
    local value, used, ends = held[slot], 0, now + period
    if value then
      local count, till = pair(value)
      if not (till <= now) then used, ends = count, till end
    end
    found[at], found[at + total] = used, ends
    if inForce and used + cost > limit then denied[load] = true end
  elseif cost > 0 and not denied[load] and found[at] + cost <= limit then
    local ends = found[at + total]
    local reply = pcall("SET", keys[key], pack("<dd", found[at] + cost, ends), "PX", millis(ends - now), "GET")
    if type(reply) == "table" then
      found[at] = nan
      failure = failure or not isForeign(reply) and reply
    end
  end
  key, slot, at = key + width, slot + 1, at + 1
end
