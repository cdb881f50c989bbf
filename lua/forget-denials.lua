-- Addresses were banned: what was counted of them is forgotten, by every rule, and for a while nothing is counted, because
-- other nodes still tell of denials from before the ban.
-- KEYS  the addresses' denials (hashes)
-- ARGV  the while in ms
-- Reply 1
local grace = ARGV[1]

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, key in ipairs(KEYS) do
  redis.call("DEL", key)
  redis.call("HSET", key, "", string.format("%.0f", now + grace))
  redis.call("PEXPIRE", key, grace)
end
return 1
