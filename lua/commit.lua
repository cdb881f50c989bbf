-- One change together with its audit record: all of it, or nothing when what it rests on has changed since.
-- The first write is the one that may fail (log damaged, memory full, read-only server); the others cannot.
-- KEYS  audit (stream), its head (hash), change counter, progress of this change (hash), then the slots
-- ARGV  head's mac as read, n, record, previous mac, mac, proof, change number or "" when no node need hear of it,
--       then for each slot: field or "", kind, digest and expiry as read, new kind, new value, new expiry
--       (a value of the new kind "hash" is JSON; an expiry is in ms of Redis' clock, "-1" for never; as the new one
--       "gone" removes)
-- Reply 1, or 0 when something has changed meanwhile
local audit, head, counter, progress = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local seen, n, record, previous, mac, proof, change = unpack(ARGV, 1, 7)
local firstSlot, firstWord, words = 5, 8, 7
local hour, tolerance = 3600000, 5

local function now()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- include: hash-text.lua
-- include: last-change.lua

local function isAsRead(key, field, kind, digest, expiry)
  local actual = redis.call("TYPE", key).ok
  if field ~= "" then
    local value = actual == "hash" and redis.call("HGET", key, field)
    return (actual == "hash" or actual == "none") and (value and redis.sha1hex(value) or "") == digest
  end
  if actual ~= kind then return false end
  if actual == "none" then return true end
  local pttl = redis.call("PTTL", key)
  if (pttl < 0) ~= (expiry < 0) or pttl >= 0 and math.abs(now() + pttl - expiry) > tolerance then return false end
  if actual == "hash" then return redis.sha1hex(hashText(key)) == digest end
  return actual ~= "string" or redis.sha1hex(redis.call("GET", key)) == digest
end

local function writeHash(key, fields, expiry)
  redis.call("DEL", key)
  for field, value in pairs(fields) do redis.call("HSET", key, field, value) end
  if expiry ~= "-1" then redis.call("PEXPIREAT", key, expiry) end
end

local function write(key, field, kind, value, expiry)
  if field ~= "" and expiry == "gone" then redis.call("HDEL", key, field)
  elseif field ~= "" then redis.call("HSET", key, field, value)
  elseif expiry == "gone" then redis.call("DEL", key)
  elseif kind == "hash" then writeHash(key, cjson.decode(value), expiry)
  elseif expiry == "-1" then redis.call("SET", key, value)
  else redis.call("SET", key, value, "PXAT", expiry) end
end

if (redis.call("HGET", head, "mac") or "") ~= seen then return 0 end
-- A node that bans takes a number, too, and leaves the head alone.
if change ~= "" and tonumber(change) ~= lastChange(counter) + 1 then return 0 end
for i = firstSlot, #KEYS do
  local at = firstWord + words * (i - firstSlot)
  local field, kind, digest, expiry = unpack(ARGV, at, at + 3)
  if not isAsRead(KEYS[i], field, kind, digest, tonumber(expiry)) then return 0 end
end

local added = redis.pcall("XADD", audit, n .. "-0", "record", record, "previous", previous, "mac", mac)
if type(added) == "table" and added.err then
  return added.err:find("equal or smaller", 1, true) and 0 or added
end
redis.call("HSET", head, "n", n, "mac", mac, "proof", proof)
for i = firstSlot, #KEYS do
  local at = firstWord + words * (i - firstSlot)
  write(KEYS[i], ARGV[at], ARGV[at + 4], ARGV[at + 5], ARGV[at + 6])
end
if change ~= "" then
  redis.call("SET", counter, change)
  redis.call("DEL", progress)
  redis.call("HSET", progress, "at", now())
  redis.call("PEXPIRE", progress, hour)
end
return 1
