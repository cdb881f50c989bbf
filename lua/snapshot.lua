-- What a change rests on, at one moment: the clock, the end of the audit log, the last change, and what is where.
-- A slot is a string key, a whole hash (told as JSON, its fields sorted), or one field of a hash. Long values are cut:
-- the digest stands for the whole.
-- KEYS  audit (stream), its head (hash), change counter, then slots, hashes, and strings that are only looked at
-- ARGV  number of slots, number of hashes, then each slot's field, "" for a whole key
-- Reply {now, {n, mac, proof} of the head, last id of the audit log, change,
--        {kind, value, digest, expiry in ms or -1, ... of the slots},
--        {hashes}, {index, value, ... of the strings that are there}}
local audit, head, change = KEYS[1], KEYS[2], KEYS[3]
local slots, hashes = tonumber(ARGV[1]), tonumber(ARGV[2])
local longest, page = 4096, 4000

local function kind(key) return redis.call("TYPE", key).ok end

local function cut(value) return value and value:sub(1, longest) end

local function now()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- What is left is told by the clock of this very moment, which in a script need not stand still.
local function expiry(key)
  local pttl = redis.call("PTTL", key)
  return pttl < 0 and -1 or now() + pttl
end

-- include: hash-text.lua
-- include: last-change.lua

local function held(key, field)
  local value, is = false, kind(key)
  if field == "" then
    if is == "string" then value = redis.call("GET", key) elseif is == "hash" then value = hashText(key) end
    return is, value, expiry(key)
  end
  value = is == "hash" and redis.call("HGET", key, field)
  if is == "hash" then is = value and "string" or "none" elseif is ~= "none" then is = "no hash" end
  return is, value, -1
end

local function lastId()
  if kind(audit) == "none" then return "0-0" end
  local info = redis.call("XINFO", "STREAM", audit)
  for i = 1, #info, 2 do
    if info[i] == "last-generated-id" then return info[i + 1] end
  end
end

local began, found, contents, strings = now(), {}, {}, {}
for i = 1, slots do
  local is, value, expires = held(KEYS[3 + i], ARGV[2 + i])
  local at = 4 * (i - 1)
  found[at + 1], found[at + 2], found[at + 3], found[at + 4] = is, cut(value), value and redis.sha1hex(value), expires
end
for i = 1, hashes do
  local key = KEYS[3 + slots + i]
  contents[i] = kind(key) == "hash" and redis.call("HGETALL", key) or {}
end
local first = 4 + slots + hashes
for from = first, #KEYS, page do
  for i, value in ipairs(redis.call("MGET", unpack(KEYS, from, math.min(from + page - 1, #KEYS)))) do
    if value then
      strings[#strings + 1] = from - first + i - 1
      strings[#strings + 1] = cut(value)
    end
  end
end
return {began, redis.call("HMGET", head, "n", "mac", "proof"), lastId(),
  lastChange(change), found, contents, strings}
