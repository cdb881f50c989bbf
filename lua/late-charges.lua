-- Charges EARRRL for hits that nodes denied without asking Redis. Weights are decayed to now.
-- KEYS  EARRRL keys, each once
-- ARGV  JSON, flat: of each key its half-life in seconds, limit and weight; then the clock in µs (left out: Redis' own)
-- Reply one string of doubles: the clock in µs, then each key's N, NaN for a key that Sluice did not write
local keys, charges, injected = KEYS, cjson.decode(ARGV[1]), tonumber(ARGV[2])
local second, nan = 1000000, 0 / 0

local time = redis.call("TIME")
local now = injected or time[1] * second + time[2]
-- Keys expire by Redis' own clock; by an injected one they may still have an hour to live.
local graceMs = injected and 3600000 or 0
local pcall, pack, failure = redis.pcall, struct.pack, nil

-- include: numbers.lua

local found, held = {now}, redis.call("MGET", unpack(keys))
for i = 1, #keys do
  local half, limit, weight = charges[3 * i - 2], charges[3 * i - 1], charges[3 * i]
  local lambda, sum, at = 0.6931471805599453 / half, 0, now
  if held[i] then
    sum, at = pair(held[i])
    if at <= now then sum, at = sum * math.exp(-lambda * ((now - at) / second)), now end
  end
  sum = sum + weight
  found[i + 1] = sum
  if sum == sum then
    local seconds = math.max(1, math.log(sum * lambda * 1000 / limit) / lambda) + (at - now) / second
    local reply = pcall("SET", keys[i], pack("<dd", sum, at), "EX", string.format("%.0f", math.ceil(seconds) + graceMs / 1000), "GET")
    if type(reply) == "table" then
      found[i + 1] = nan
      failure = failure or not isForeign(reply) and reply
    end
  end
end
if failure then return failure end
return pack("<" .. string.rep("d", #found), unpack(found))
