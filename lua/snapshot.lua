-- Everything that a change depends on, at one moment: the clock, the end of the log that it goes into, the last change, and the
-- values in its place. A slot is a string key, a whole hash (as JSON, its fields sorted), or one field of a hash. Long values
-- are cut: the digest is that of the whole.
-- KEYS  log to write to (stream: the audit log, or the entries of one of its records), its head (hash), change counter, head of
--       the audit log (hash), then slots, hashes, and strings that are only read
-- ARGV  number of slots, number of hashes, then each slot's field, "" for a whole key
-- Reply {now, {n, mac, proof, facts} of the log's head, last id of the log, change,
--        {kind, value, digest, expiry in ms or -1, ... of the slots},
--        {hashes}, {index, value, ... of the strings that are there}}
local log, head, change, numbers = unpack(KEYS, 1, 4)
local slots, hashes = tonumber(ARGV[1]), tonumber(ARGV[2])
local before, longest, page = 4, 4096, 4000

local function kind(key) return redis.call("TYPE", key).ok end

local function cut(value) return value and value:sub(1, longest) end

local function now()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- include: ends-at.lua
-- include: hash-text.lua
-- include: last-change.lua

local function held(key, field)
  local value, is = false, kind(key)
  if field == "" then
    if is == "string" then value = redis.call("GET", key) elseif is == "hash" then value = hashText(key) end
    return is, value, endsAt(key)
  end
  value = is == "hash" and redis.call("HGET", key, field)
  if is == "hash" then is = value and "string" or "none" elseif is ~= "none" then is = "no hash" end
  return is, value, -1
end

local function lastId()
  if kind(log) == "none" then return "0-0" end
  local info = redis.call("XINFO", "STREAM", log)
  for i = 1, #info, 2 do
    if info[i] == "last-generated-id" then return info[i + 1] end
  end
end

local began, found, contents, strings = now(), {}, {}, {}
for i = 1, slots do
  local is, value, expires = held(KEYS[before + i], ARGV[2 + i])
  local at = 4 * (i - 1)
  found[at + 1], found[at + 2], found[at + 3], found[at + 4] = is, cut(value), value and redis.sha1hex(value), expires
end
for i = 1, hashes do
  local key = KEYS[before + slots + i]
  contents[i] = kind(key) == "hash" and redis.call("HGETALL", key) or {}
end
local first = before + 1 + slots + hashes
for from = first, #KEYS, page do
  for i, value in ipairs(redis.call("MGET", unpack(KEYS, from, math.min(from + page - 1, #KEYS)))) do
    if value then
      strings[#strings + 1] = from - first + i - 1
      strings[#strings + 1] = cut(value)
    end
  end
end
return {began, redis.call("HMGET", head, "n", "mac", "proof", "facts"), lastId(),
  lastChange(change, numbers), found, contents, strings}
