-- Takes one call of an edge's budget of calls an hour, which all callers share.
-- KEYS  calls of the last hour (sorted set)
-- ARGV  most calls an hour, a unique word for this call
-- Reply {calls in the last hour with this one, 0}, or {calls, ms until one is free again}
local calls, most, word = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local hour = 3600000

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", calls, "-inf", now - hour)
local made = redis.call("ZCARD", calls)
if made >= most then
  local oldest = redis.call("ZRANGE", calls, 0, 0, "WITHSCORES")
  return { made, math.max(1, (tonumber(oldest[2]) or now) + hour - now) }
end
redis.call("ZADD", calls, now, word)
redis.call("PEXPIRE", calls, hour)
return { made + 1, 0 }
