-- Records that a node is alive, and its state.
-- KEYS  nodes (sorted set of ids by last heartbeat), node (hash)
-- ARGV  node id, time to live in ms, then the hash's fields and values
-- Reply Redis' clock in ms
local nodes, node = KEYS[1], KEYS[2]
local id, ttl, firstField = ARGV[1], tonumber(ARGV[2]), 3

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZADD", nodes, now, id)
redis.call("ZREMRANGEBYSCORE", nodes, "-inf", now - ttl)
redis.call("HSET", node, "seenAt", now, unpack(ARGV, firstField))
redis.call("PEXPIRE", node, ttl)
return now
