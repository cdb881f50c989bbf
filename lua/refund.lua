-- Takes back what a request was charged: all of it when a step in another slot denied it or as an app asks, some of it when it cost
-- less than was reserved. Takes back no more than is certainly still there, so that no client passes beyond a limit.
-- KEYS  one a step
-- ARGV  JSON, flat: of each key how it holds what was used (as numbered below), the amount, how much of it drains in a µs,
--       how long a window from the first hit lasts in µs (else 0), and what the request was charged;
--       then the clock in µs of the charge ("" for the newest of that amount), and the clock in µs now (left out: Redis' own)
-- Reply one string of doubles: for each key 1 if something was taken back, else 0
local keys, charges, chargedAt, injected = KEYS, cjson.decode(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local count, amountAndTime, list = 1, 2, 3
local columns, second, furthest, graceMs = 5, 1000000, 1000, 0

local time = redis.call("TIME")
local now = injected or time[1] * second + time[2]

-- include: numbers.lua

local function uncount(key, cost)
  local used = whole(redis.pcall("GET", key) or "0")
  if not (used >= cost) then return 0 end
  redis.call("DECRBY", key, string.format("%.0f", cost))
  return 1
end

local function lower(key, amount, lasts)
  local text = redis.pcall("GET", key)
  local held, at = pair(type(text) == "string" and text or "")
  local isLaterWindow = lasts > 0 and chargedAt and at - lasts > chargedAt
  if isLaterWindow or not (held >= amount and amount > 0) then return 0 end
  redis.call("SET", key, struct.pack("<dd", held - amount, at), "KEEPTTL")
  return 1
end

-- Removes the element of that moment and cost, or lowers its cost; the sums of newer elements become less.
local function unpush(key, isList, cost, charged)
  local members = isList and redis.pcall("LRANGE", key, 0, furthest) or redis.pcall("ZREVRANGE", key, 0, furthest)
  if members.err then return 0 end
  for i, member in ipairs(members) do
    if #member ~= 24 then return 0 end
    local sum, at, its = struct.unpack(">ddd", member)
    if chargedAt and at < chargedAt then return 0 end
    if (not chargedAt or at == chargedAt) and its == charged then
      for newer = 1, i - 1 do
        local newerSum, moment, other = struct.unpack(">ddd", members[newer])
        local less = struct.pack(">ddd", newerSum - cost, moment, other)
        if isList then redis.call("LSET", key, newer - 1, less)
        else
          redis.call("ZREM", key, members[newer])
          redis.call("ZADD", key, moment, less)
        end
      end
      local lower = cost < charged and struct.pack(">ddd", sum - cost, at, charged - cost)
      if not isList then
        redis.call("ZREM", key, member)
        if lower then redis.call("ZADD", key, at, lower) end
      elseif lower then redis.call("LSET", key, i - 1, lower)
      else redis.call("LSET", key, i - 1, "") redis.call("LREM", key, 1, "") end
      return 1
    end
  end
  return 0
end

local took = {}
for i, key in ipairs(keys) do
  local held, amount, drains, lasts, charged = unpack(charges, columns * (i - 1) + 1, columns * i)
  if held == count then took[i] = uncount(key, amount)
  -- What has drained since the charge may have been this very charge.
  elseif held == amountAndTime then took[i] = lower(key, amount - math.max(now - (chargedAt or now), 0) * drains, lasts)
  else took[i] = unpush(key, held == list, amount, charged) end
end
return struct.pack("<" .. string.rep("d", #took), unpack(took))
