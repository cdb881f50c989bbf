-- One change together with its audit record: all of it, or nothing when a value that it depends on has changed since.
-- The first write is the one that may fail (log damaged, memory full, read-only server); the others cannot.
-- KEYS  log to write to (stream: the audit log, or the entries of one of its records), its head (hash), change counter, progress
--       of this change (hash), stream of changes, head of the audit log (hash), head of the log that this record opens for its
--       entries (hash; any key where it opens none), then the slots
-- ARGV  head's mac as read, n, record, previous mac, mac, proof, change number or "" for a change that concerns no node, the
--       prefixes of the keys that nodes follow (with a space between), facts for the log's head or "", proof and facts for the
--       head of the log that this record opens or "", then for each slot: field or "", kind, digest and expiry as read, new kind,
--       new value, new expiry
--       (a value of the new kind "hash" is JSON; an expiry is in ms of Redis' clock, "-1" for never; as the new one
--       "gone" removes)
-- Reply 1, or 0 when something has changed since it was read
local log, head, counter, progress, changes, numbers, opened = unpack(KEYS, 1, 7)
local seen, n, record, previous, mac, proof, change, followed, facts, openedProof, openedFacts = unpack(ARGV, 1, 11)
local firstSlot, firstWord, words = 8, 12, 7
local hour, tolerance = 3600000, 5

local function now()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- include: ends-at.lua
-- include: hash-text.lua
-- include: last-change.lua

-- include: announce.lua

local function isFollowed(key)
  for prefix in followed:gmatch("%S+") do
    if key:sub(1, #prefix) == prefix then return true end
  end
  return false
end

local function isAsRead(key, field, kind, digest, expiry)
  local actual = redis.call("TYPE", key).ok
  if field ~= "" then
    local value = actual == "hash" and redis.call("HGET", key, field)
    return (actual == "hash" or actual == "none") and (value and redis.sha1hex(value) or "") == digest
  end
  if actual ~= kind then return false end
  if actual == "none" then return true end
  local ends = endsAt(key)
  if (ends < 0) ~= (expiry < 0) or ends >= 0 and math.abs(ends - expiry) > tolerance then return false end
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
if change ~= "" and tonumber(change) ~= lastChange(counter, numbers) + 1 then return 0 end
for i = firstSlot, #KEYS do
  local at = firstWord + words * (i - firstSlot)
  local field, kind, digest, expiry = unpack(ARGV, at, at + 3)
  if not isAsRead(KEYS[i], field, kind, digest, tonumber(expiry)) then return 0 end
end

local added = redis.pcall("XADD", log, n .. "-0", "record", record, "previous", previous, "mac", mac)
if type(added) == "table" and added.err then
  return added.err:find("equal or smaller", 1, true) and 0 or added
end
redis.call("HSET", head, "n", n, "mac", mac, "proof", proof)
if facts ~= "" then redis.call("HSET", head, "facts", facts) end
if openedProof ~= "" then
  redis.call("HSET", opened, "n", 0, "mac", mac, "proof", openedProof, "facts", openedFacts)
end
local written = {}
for i = firstSlot, #KEYS do
  local at = firstWord + words * (i - firstSlot)
  write(KEYS[i], ARGV[at], ARGV[at + 4], ARGV[at + 5], ARGV[at + 6])
  if isFollowed(KEYS[i]) then written[#written + 1] = KEYS[i] end
end
if change ~= "" then
  redis.call("HSET", numbers, "change", change)
  redis.call("SET", counter, change)
  redis.call("DEL", progress)
  redis.call("HSET", progress, "at", now())
  redis.call("PEXPIRE", progress, hour)
  announce(changes, change, written)
end
return 1
