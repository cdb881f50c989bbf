-- Part of weigh: fixed windows on rack-attack's own keys, plain numbers that anybody may INCR.
-- To count at once and take it back from who is denied is cheaper than to read before: few of the denied come this far.
-- Finds what was used in this window.
if isPeek then
  local expiry
  for load = first, last do
    local name, cost, sum = keys[key], given and given[load] or 1, nil
    if isReading or cost <= 0 then
      sum = pcall("GET", name) or "0"
      if type(sum) == "string" then sum = whole(sum) + cost end
    elseif cost == 1 then
      sum = pcall("INCR", name)
    else
      sum = pcall("INCRBY", name, format("%.0f", cost))
    end
    if type(sum) == "table" then
      found[at] = nan
      failure = failure or not isForeign(sum) and sum
    else
      found[at] = sum - cost
      if sum == cost and not isReading then
        expiry = expiry or format("%.0f", ceil((real + period - now % period + second) / 1000) + graceMs)
        pcall("PEXPIREAT", name, expiry)
      end
      if sum > limit then
        overs[step] = true
        if inForce then denied[load] = true end
      end
    end
    key, at = key + width, at + 1
  end
elseif overs[step] or next(denied) then
  for load = first, last do
    local used, cost = found[at], given and given[load] or 1
    if cost > 0 and used == used and (denied[load] or used + cost > limit) then
      if used == 0 then pcall("DEL", keys[key]) else pcall("DECRBY", keys[key], format("%.0f", cost)) end
    end
    key, at = key + width, at + 1
  end
end
