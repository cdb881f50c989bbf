-- Adds the customers that sent requests from addresses, and forgets the oldest beyond the bounds.
-- KEYS  seen (sorted set of "<address> <customer>" by their last request), the same by address, "<customer> <address>" by customer
--       (sorted sets without scores), requests (hash), since (string), a mark of the last look at the nodes, nodes
-- ARGV  JSON [address, customer, requests, …], where addresses are hexadecimal digits of one length for each family; beginning of
--       the keys of nodes
-- Reply clock in ms, number of nodes
local seen, byAddress, byCustomer, requests, since, looked, nodes = unpack(KEYS)
local reported, nodePrefix = cjson.decode(ARGV[1]), ARGV[2]
local weekMs, spanMs, spans = 604800000, 600000, 7
local lookEveryMs, startsWithinMs = 30000, 10000
local mostOfAll, mostOfCustomer, mostOfAddress, atOnce = 32768, 1024, 256, 256

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local span = math.floor(now / spanMs)

local function drop(one)
  local address, customer = string.match(one, "^(%S+) (%S+)$")
  redis.call("ZREM", seen, one)
  redis.call("ZREM", byAddress, one)
  redis.call("ZREM", byCustomer, customer .. " " .. address)
  redis.call("HDEL", requests, one)
end

-- What was dropped is unknown from now on, so absence is known only since its last request.
local function raiseSince(last)
  if tonumber(last) > tonumber(redis.call("GET", since) or 0) then redis.call("SET", since, last) end
end

-- A quarter, so that few reports have to sort. Replies with the last request of what was dropped.
local function dropOldest(among)
  local scores, ordered = redis.call("ZMSCORE", seen, unpack(among)), {}
  for i, one in ipairs(among) do ordered[i] = { one = one, last = tonumber(scores[i] or 0) } end
  table.sort(ordered, function(a, b) return a.last < b.last end)
  local dropped = math.floor(#ordered / 4)
  for i = 1, dropped do drop(ordered[i].one) end
  return ordered[dropped].last
end

local function bound(address, customer)
  local from, to = "[" .. customer .. " ", "(" .. customer .. "!"
  if redis.call("ZLEXCOUNT", byCustomer, from, to) > mostOfCustomer then
    local among = redis.call("ZRANGEBYLEX", byCustomer, from, to)
    for i, one in ipairs(among) do among[i] = string.gsub(one, "^(%S+) (%S+)$", "%2 %1") end
    raiseSince(dropOldest(among))
  end
  from, to = "[" .. address .. " ", "(" .. address .. "!"
  if redis.call("ZLEXCOUNT", byAddress, from, to) > mostOfAddress then
    dropOldest(redis.call("ZRANGEBYLEX", byAddress, from, to))
  end
end

-- A field holds the number of its newest span, and the requests of that span and of those before it.
local function addRequests(one, count)
  local kept = {}
  for number in string.gmatch(redis.call("HGET", requests, one) or "", "%d+") do kept[#kept + 1] = tonumber(number) end
  local gone, numbers = math.max(0, span - (kept[1] or span)), { span }
  for n = 1, spans do numbers[n + 1] = n > gone and kept[n + 1 - gone] or 0 end
  numbers[2] = numbers[2] + count
  redis.call("HSET", requests, one, table.concat(numbers, " "))
end

redis.call("SET", since, now, "NX")
-- A node that does not report customers is missing them until the next look, also when it has left by then.
if redis.call("SET", looked, now, "NX", "PX", lookEveryMs) then
  for _, id in ipairs(redis.call("ZRANGE", nodes, 0, -1)) do
    local of = redis.call("HMGET", nodePrefix .. id, "id", "ownersFormat", "startedAt")
    local isStarting = of[2] == "0" and now - tonumber(of[3] or 0) < startsWithinMs
    if of[1] and (tonumber(of[2] or 0) < 1) and not isStarting then raiseSince(now + lookEveryMs) end
  end
end
for i = 1, #reported, 3 do
  local address, customer = reported[i], reported[i + 1]
  local one = address .. " " .. customer
  if redis.call("ZADD", seen, now, one) == 1 then
    redis.call("ZADD", byAddress, 0, one)
    redis.call("ZADD", byCustomer, 0, customer .. " " .. address)
    bound(address, customer)
  end
  addRequests(one, reported[i + 2])
end

for _, one in ipairs(redis.call("ZRANGEBYSCORE", seen, "-inf", now - weekMs, "LIMIT", 0, atOnce)) do drop(one) end
local over = redis.call("ZCARD", seen) - mostOfAll
if over > 0 then
  local oldest = redis.call("ZRANGE", seen, 0, math.min(over, 2 * atOnce) - 1)
  raiseSince(redis.call("ZSCORE", seen, oldest[#oldest]))
  for _, one in ipairs(oldest) do drop(one) end
end
for i = 1, 5 do redis.call("PEXPIRE", KEYS[i], weekMs) end
return { now, redis.call("ZCARD", nodes) }
