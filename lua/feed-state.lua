-- Writes how the refresh of a feed went, unless the feed has changed since its definition was read.
-- KEYS  definitions of feeds (hash), their states (hash)
-- ARGV  id of the feed, its definition as read, its state (JSON)
-- Reply 1, or 0 where the definition is another one or gone
local feeds, states = KEYS[1], KEYS[2]
local id, definition, state = ARGV[1], ARGV[2], ARGV[3]

if redis.call("HGET", feeds, id) ~= definition then return 0 end
redis.call("HSET", states, id, state)
return 1
