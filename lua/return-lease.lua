-- Gives a lease back, if it is still one's own.
-- KEYS  the lease
-- ARGV  who asks
-- Reply 1 when it was
local lease, who = KEYS[1], ARGV[1]

if redis.call("GET", lease) ~= who then return 0 end
return redis.call("DEL", lease)
