-- Part of weigh: fixed windows on rack-attack's own keys, plain numbers that any program may INCR.
-- Each request is counted at once and a denied one taken back: cheaper than to read first, as few of the denied come this far.
-- Finds what was used in this window.
-- Reads plan, isPeek, isReading, keys, width, step, first, last, given, inForce, most, period, now, real, second, graceMs.
-- Writes found, denied, overs, failure, key, at.
if isPeek then
  local expiry
  for request = first, last do
    local name, cost, sum = keys[key], given and given[request] or 1, nil
    local need = cost > 0 and cost or 1
    if isReading or cost <= 0 then
      sum = pcall("GET", name) or "0"
      if type(sum) == "string" then sum = whole(sum) + need end
    elseif cost == 1 then
      sum = pcall("INCR", name)
    else
      sum = pcall("INCRBY", name, format("%.0f", cost))
    end
    if type(sum) == "table" then
      found[at] = nan
      failure = failure or not isForeign(sum) and sum
    else
      found[at] = sum - need
      if sum == cost and not isReading then
        local window = plan[step + 4]
        local left = window < 0 and period - window * second - now or period - now % period
        expiry = expiry or format("%.0f", ceil((real + left + second) / 1000) + graceMs)
        pcall("PEXPIREAT", name, expiry)
      end
      if sum > most then
        overs[step] = true
        if inForce then denied[request] = true end
      end
    end
    key, at = key + width, at + 1
  end
elseif overs[step] or next(denied) then
  for request = first, last do
    local used, cost = found[at], given and given[request] or 1
    if cost > 0 and used == used and (denied[request] or used + cost > most) then
      if used == 0 then pcall("DEL", keys[key]) else pcall("DECRBY", keys[key], format("%.0f", cost)) end
    end
    key, at = key + width, at + 1
  end
end
