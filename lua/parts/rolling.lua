-- Part of weigh: rolling windows, exact with costs. One element an admitted hit, newest first: the sum of all costs up
-- to and with it, its time, its cost; two elements have the sum of all hits between them.
-- Finds what was used within the last period, and when this request's cost would fit (if it does: when the oldest hit goes).
-- Reads keys, width, total, now, nan and, as parameters, what changes from step to step. Writes rolling, found, denied, failure.
local windows, heads = {}, {}
-- include: rolling-list.lua
-- include: rolling-set.lua

-- The last index (from 0, newest first) up to which `isWanted` holds, -1 if for none; it holds up to one place.
local function search(length, isWanted)
  local low, high = -1, length - 1
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if isWanted(middle) then low = middle else high = middle - 1 end
  end
  return low
end

local function elements(name, window)
  return function(index)
    local member = window.at(name, index)
    if not member then return nil end
    if type(member) == "table" then
      failure = failure or not isForeign(member) and member
      return nan
    end
    if #member ~= 24 then return nan end
    return struct.unpack(">ddd", member)
  end
end

local function look(name, window, limit, period, cost)
  local element = elements(name, window)
  local sum, time = element(0)
  if not sum then return 0, now + period, {sum = 0, time = now, alive = 0, length = 0} end
  if sum ~= sum then return nan, 0 end
  local clocked, length = math.max(now, time), window.length(name)
  local function isAlive(index)
    local _, moment = element(index)
    return moment and moment > clocked - period
  end
  local alive = isAlive(length - 1) and length or search(length, isAlive) + 1
  local head = {sum = sum, time = clocked, alive = alive, length = length}
  if alive == 0 then return 0, now + period, head end
  local oldestSum, oldestTime, oldestCost = element(alive - 1)
  local used, frees = sum - oldestSum + oldestCost, oldestTime
  if used + cost > limit then
    local gone = search(alive, function(index) return element(index) >= sum + cost - limit end)
    frees = select(2, element(gone < 0 and 0 or gone))
  end
  return used, frees + period + now - clocked, head
end

rolling = function(isPeek, algorithm, first, key, at, inForce, limit, most, period, given)
  local window = windows[algorithm]
  for request = first, last do
    local cost = given and given[request] or 1
    if isPeek then
      local need = cost > 0 and cost or 1
      found[at], found[at + total], heads[at] = look(keys[key], window, limit, period, need)
      if inForce and found[at] + need > limit then denied[request] = true end
    elseif cost > 0 and not denied[request] and found[at] + cost <= most then
      local head = heads[at]
      local reply = window.push(keys[key], pack(">ddd", head.sum + cost, head.time, cost), head)
      if type(reply) == "table" then
        found[at] = nan
        failure = failure or not isForeign(reply) and reply
      else
        pcall("PEXPIRE", keys[key], millis(period + head.time - now))
      end
    end
    key, at = key + width, at + 1
  end
end
