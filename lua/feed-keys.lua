-- Writes or removes keys of the blocklist for a feed, unless the feed has changed since its definition was read. A key that
-- another author wrote stays as it is.
-- KEYS  definitions of feeds (hash), addresses that have a key of the feed (set), then entries
-- ARGV  id of the feed, its definition as read ("" for none), what the values of its keys have in them, value to write ("" to
--       remove), life in ms, then the address of each entry
-- Reply how many were written or removed, or -1 where the definition is another one
local feeds, written, first = KEYS[1], KEYS[2], 3
local id, definition, mark, value, life = unpack(ARGV, 1, 5)
local firstAddress = 6

if (redis.call("HGET", feeds, id) or "") ~= definition then return -1 end
local done = 0
for i = first, #KEYS do
  local key, address = KEYS[i], ARGV[firstAddress + i - first]
  local kind = redis.call("TYPE", key).ok
  local isOurs = kind == "string" and redis.call("GET", key):find(mark, 1, true) ~= nil
  if value ~= "" and (kind == "none" or isOurs) then
    -- The set first: what is in it may be gone, and what is not is never removed.
    redis.call("SADD", written, address)
    redis.call("SET", key, value, "PX", life)
    done = done + 1
  else
    if value == "" and isOurs then
      redis.call("DEL", key)
      done = done + 1
    end
    redis.call("SREM", written, address)
  end
end
return done
