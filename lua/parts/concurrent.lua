-- Part of weigh: holds, what requests have reserved until they are settled. A sorted set by the moment when each hold
-- expires. A member is the hold's name and its cost; the member `sum` has the cost of all holds, negative, so that it comes first.
-- With "charge" a request's hold ends, and nothing is judged.
-- Finds what is held, and when the first hold ends.
-- Reads keys, width, total, last, plan, finds, stepSize, namesText, isCharging, now, nan and, as parameters, what changes from step
-- to step. Writes holding, found, denied, failure.
local sumMember, names, ended = "sum", namesText and cjson.decode(namesText), {}

local function costOf(member) return tonumber(member:match(" (%d+)$")) or 0 end

-- What is held now, when the first hold ends, and whether holds have ended that are still in the set.
local function heldIn(key, period)
  local head = pcall("ZRANGE", key, 0, 1, "WITHSCORES")
  if head.err then
    failure = failure or not isForeign(head) and head
    return nan, 0, false
  end
  if #head == 0 then return 0, now + period, false end
  if head[1] ~= sumMember then return nan, 0, false end
  local sum, ends = -head[2], tonumber(head[4] or now + period)
  if ends > now then return sum, ends, false end
  local past = format("%.0f", now)
  for _, member in ipairs(pcall("ZRANGEBYSCORE", key, 1, past)) do sum = sum - costOf(member) end
  local first = pcall("ZRANGEBYSCORE", key, "(" .. past, "+inf", "WITHSCORES", "LIMIT", 0, 1)
  return sum, tonumber(first[2] or now + period), true
end

-- What adds memory comes first: if it fails, the sum still fits the members.
local function hold(key, sum, member, period, hasEnded)
  local reply = pcall("ZADD", key, format("%.0f", -sum), sumMember, format("%.0f", now + period), member)
  if type(reply) == "table" then return reply end
  if hasEnded then pcall("ZREMRANGEBYSCORE", key, 1, format("%.0f", now)) end
  pcall("PEXPIRE", key, millis(period))
end

local function release(key, member)
  if type(pcall("ZSCORE", key, member)) ~= "string" then return end
  local sum = pcall("ZINCRBY", key, format("%.0f", costOf(member)), sumMember)
  if type(sum) ~= "string" then failure = failure or sum
  elseif tonumber(sum) >= 0 then pcall("DEL", key)
  else pcall("ZREM", key, member) end
end

holding = function(isPeek, step, first, key, at, inForce, limit, period, given)
  local counter = plan[step + 4] == 1 and at - finds[plan[step - stepSize]] * total
  for request = first, last do
    local cost = given and given[request] or 1
    local used = counter and found[counter] or 0
    if isCharging then
      if not isPeek then release(keys[key], names[request] .. " " .. format("%.0f", cost)) end
    elseif isPeek then
      found[at], found[at + total], ended[at] = heldIn(keys[key], period)
      if inForce and used + found[at] + (cost > 0 and cost or 1) > limit then denied[request] = true end
    elseif cost > 0 and not denied[request] and used + found[at] + cost <= limit then
      local member = names[request] .. " " .. format("%.0f", cost)
      local reply = hold(keys[key], found[at] + cost, member, period, ended[at])
      if reply then
        found[at] = nan
        failure = failure or not isForeign(reply) and reply
      end
    end
    key, at, counter = key + width, at + 1, counter and counter + 1
  end
end
