-- Takes back what a load was charged in one slot when a step in another slot denied it. Takes back no more than is surely
-- still there, so that nobody is let in beyond a limit. EARRRL keeps its charge.
-- KEYS  one a step
-- ARGV  JSON, flat: of each key its algorithm (as lua/weigh.lua numbers them), limit, period in seconds and cost; the clock
--       in µs when it was charged; the clock in µs now, or nothing
-- Reply one string of doubles: for each key 1 if something was taken back, else 0
local fixed, sliding, firstHit, gcra, rollingList = 1, 2, 3, 4, 6
local charges, chargedAt, second = cjson.decode(ARGV[1]), tonumber(ARGV[2]), 1000000
local time = redis.call("TIME")
local now = ARGV[3] and tonumber(ARGV[3]) or time[1] * second + time[2]
local furthest, graceMs = 1000, 0

-- include: numbers.lua

local function uncount(key, cost)
  local used = whole(redis.pcall("GET", key) or "0")
  if not (used >= cost) then return 0 end
  redis.call("DECRBY", key, string.format("%.0f", cost))
  return 1
end

local function lower(key, amount)
  local text = redis.pcall("GET", key)
  local held, at = pair(type(text) == "string" and text or "")
  if not (held >= amount and amount > 0) then return 0 end
  redis.call("SET", key, struct.pack("<dd", held - amount, at), "KEEPTTL")
  return 1
end

-- The element of that moment and cost goes, and what came after it sums up to less.
local function unpush(key, isList, cost)
  local members = isList and redis.pcall("LRANGE", key, 0, furthest) or redis.pcall("ZREVRANGE", key, 0, furthest)
  if members.err then return 0 end
  for i, member in ipairs(members) do
    if #member ~= 24 then return 0 end
    local _, at, its = struct.unpack(">ddd", member)
    if at < chargedAt then return 0 end
    if at == chargedAt and its == cost then
      for newer = 1, i - 1 do
        local sum, moment, other = struct.unpack(">ddd", members[newer])
        local less = struct.pack(">ddd", sum - cost, moment, other)
        if isList then redis.call("LSET", key, newer - 1, less)
        else
          redis.call("ZREM", key, members[newer])
          redis.call("ZADD", key, moment, less)
        end
      end
      if isList then redis.call("LSET", key, i - 1, "") redis.call("LREM", key, 1, "")
      else redis.call("ZREM", key, member) end
      return 1
    end
  end
  return 0
end

local took = {}
for i, key in ipairs(KEYS) do
  local algorithm, limit, period, cost = unpack(charges, 4 * i - 3, 4 * i)
  if algorithm <= sliding then took[i] = uncount(key, cost)
  elseif algorithm == firstHit then took[i] = lower(key, cost)
  -- What has drained meanwhile may have drained from this very charge.
  elseif algorithm == gcra then took[i] = lower(key, cost * period * second - math.max(now - chargedAt, 0) * limit)
  else took[i] = unpush(key, algorithm == rollingList, cost) end
end
return struct.pack("<" .. string.rep("d", #took), unpack(took))
