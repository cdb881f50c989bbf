-- Part of load-page and read-changed: the value of a key, a string (cut) or a hash as {field, value, ...}; {} for a hash of too
-- many fields. Defines contents.
local function contents(key, kind)
  local longest, mostFields = 256, 64
  if kind == "string" then return (redis.call("GET", key) or ""):sub(1, longest) end
  return redis.call("HLEN", key) > mostFields and {} or redis.call("HGETALL", key)
end
