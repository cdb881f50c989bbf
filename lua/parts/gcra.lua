-- Part of weigh: GCRA as a leaky meter. The key holds the backlog, one request being as many units as a period has µs,
-- and when it was that high; each µs drains `limit` units. Whole numbers: nothing drifts.
-- Finds what is left of the backlog.
-- Reads isPeek, keys, width, first, last, held, given, inForce, limit, most, period, now.
-- Writes found, denied, ahead, failure, key, at, slot.
for request = first, last do
  local cost = given and given[request] or 1
  if isPeek then
    local value, backlog = held[slot], 0
    if value then
      local units, time = pair(value)
      if time > now then backlog, ahead[at] = units, time
      else backlog = units - (now - time) * limit end
      if backlog < 0 then backlog = 0 end
    end
    found[at] = backlog
    if inForce and backlog + (cost > 0 and cost or 1) * period > limit * period then denied[request] = true end
  elseif cost > 0 and not denied[request] and found[at] + cost * period <= most * period then
    local backlog, time = found[at] + cost * period, ahead[at] or now
    local reply = pcall("SET", keys[key], pack("<dd", backlog, time), "PX", millis(backlog / limit + time - now), "GET")
    if type(reply) == "table" then
      found[at] = nan
      failure = failure or not isForeign(reply) and reply
    end
  end
  key, slot, at = key + width, slot + 1, at + 1
end
