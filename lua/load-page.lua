-- One page of the keys that nodes hold copies of, with the time to live of each, and the contents of some.
-- Runs on the control server, which is never a cluster: the keys are found here, not declared.
-- KEYS  none
-- ARGV  cursor, pattern, count, prefix of the keys whose contents are wanted, Sluice's own prefix, the only one under it
--       that is wanted
-- Reply {next cursor, {key, pttl, ...}, {key, pttl, contents, ...}, time that the page took Redis in µs, 0 where its clock
--       does not run in a script}; pttl is -1 for a key that never expires
local hasClock, clock = pcall(function() return os.clock end)

-- Processor time, where Lua has it (Redis 7.2): on a busy machine it is less than the elapsed time.
local function micros()
  if hasClock and clock then return clock() * 1e6 end
  local time = redis.call("TIME")
  return time[1] * 1e6 + time[2]
end

local startedAt = micros()
local cursor, pattern, count, prefix, own, wanted = unpack(ARGV)

-- include: contents.lua

local function scan(kind, match)
  return redis.call("SCAN", cursor, "MATCH", match, "COUNT", count, "TYPE", kind)
end

-- A type costs less as a filter than as one call for each key. Both scans must cover the same buckets. They end at different
-- cursors if Redis finishes moving keys to a larger table between them, or if the first one deletes expired keys.
local strings, hashes
repeat
  strings, hashes = scan("string", pattern), scan("hash", prefix .. "*")
until strings[1] == hashes[1]
local lives, wholes, initial = {}, {}, prefix:byte(1)

local function add(key, kind)
  local at = #wholes
  wholes[at + 1], wholes[at + 2], wholes[at + 3] = key, redis.call("PTTL", key), contents(key, kind)
end

for _, key in ipairs(strings[2]) do
  if key:byte(1) == initial and key:sub(1, #prefix) == prefix then
    add(key, "string")
  -- The pattern also matches other keys of Sluice, which this account may be forbidden to read.
  elseif key:sub(1, #own) ~= own or key:sub(1, #wanted) == wanted then
    local at = #lives
    lives[at + 1], lives[at + 2] = key, redis.call("PTTL", key)
  end
end
for _, key in ipairs(hashes[2]) do add(key, "hash") end
return {strings[1], lives, wholes, math.floor(micros() - startedAt)}
