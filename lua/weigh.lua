-- Weighs a batch of loads that follow one plan. Of each load, first every step is peeked at, then all are charged; if
-- a step in force denies, EARRRL alone is. What one key holds never stops the others.
-- Written for speed: the parts stand in the loop instead of in functions, for a closure costs as much as what it would do.
-- KEYS  load by load, step by step: one key a step, two for a sliding estimate (this window, the one before)
-- ARGV  the plan as JSON, flat: keys a load, then of each step its algorithm (as numbered below), 1 if it is in force,
--       limit, period in seconds, and window or overage weight;
--       then, each "" or left out when not needed: costs as JSON [[of each load], …] step by step, 0 for ones alone;
--       last loads of the runs as JSON (no two loads of a run share a key); "read" to charge nothing; the clock in µs
-- Reply one string of doubles: the clock in µs, then step by step, number by number, load by load what was found, NaN for
--       a key that is not ours. The clock alone when a window was guessed wrong: then nothing was done.
local fixed, sliding, firstHit, gcra, earrrl, rollingList, rollingSet = 1, 2, 3, 4, 5, 6, 7
local gets, finds = {0, 2, 1, 1, 1, 0, 0}, {1, 2, 2, 1, 1, 2, 2}
local firstStep, stepSize, second, nan = 2, 5, 1000000, 0 / 0

local keys, plan, isReading = KEYS, cjson.decode(ARGV[1]), ARGV[4] == "read"
local costs = ARGV[2] and ARGV[2] ~= "" and cjson.decode(ARGV[2])
local runs = ARGV[3] and ARGV[3] ~= "" and cjson.decode(ARGV[3])
local pcall, ceil, format, type, pack = redis.pcall, math.ceil, string.format, type, struct.pack

local time = redis.call("TIME")
local real = time[1] * second + time[2]
local now = ARGV[5] and tonumber(ARGV[5]) or real
-- Redis lets keys die by its own clock; by another one they might have an hour to live yet.
local graceMs = ARGV[5] and 3600000 or 0

local width, numbers, last, rolls, waits, failure = plan[1], 0, 0, false, false, nil
for step = firstStep, #plan, stepSize do
  local algorithm = plan[step]
  if algorithm <= sliding and plan[step + 4] ~= math.floor(now / (plan[step + 3] * second)) then
    return pack("<d", now)
  end
  numbers, rolls = numbers + finds[algorithm], rolls or algorithm >= rollingList
  waits = waits or algorithm ~= fixed and algorithm ~= earrrl
end

-- What was found, filled in order so that Lua keeps it as an array; which loads are denied; and by `at`, which steps are
-- over, and the times of states that the clock has stepped back behind.
local total = #keys / width
local found, denied, overs, ahead = {now, 0, 0, 0, 0, 0, 0, 0}, {}, {}, {}
for at = #found + 1, 1 + numbers * total do found[at] = 0 end

-- include: numbers.lua
local rolling
if rolls then
  -- include: rolling.lua
end

for run = 1, runs and #runs or 1 do
  local first, held = last + 1, nil
  last = runs and runs[run] or total
  local loads = last - first + 1
  -- include: bring.lua
  for pass = 1, isReading and 1 or 2 do
    local isPeek = pass == 1
    -- Fixed windows and EARRRL were charged at once; the first are taken back from who is denied.
    if not isPeek and not waits and not next(denied) and not next(overs) then break end
    -- Where the first load has its key, where its number goes, and where its value was brought: from load to load they go
    -- on by `width` and by one; a step's second number and value follow after those of all loads.
    local firstKey, firstAt, firstSlot = (first - 1) * width + 1, first + 1, 1
    for step = firstStep, #plan, stepSize do
      local algorithm, inForce, limit, period = plan[step], plan[step + 1] == 1, plan[step + 2], plan[step + 3] * second
      local given = costs and costs[(step - firstStep) / stepSize + 1]
      if given == 0 then given = nil end
      local key, at, slot = firstKey, firstAt, firstSlot
      if algorithm == fixed then
        -- include: fixed.lua
      elseif algorithm == earrrl then
        -- include: earrrl.lua
      elseif algorithm == sliding then
        -- include: sliding.lua
      elseif algorithm == gcra then
        -- include: gcra.lua
      elseif algorithm == firstHit then
        -- include: first-hit.lua
      else
        rolling(isPeek, algorithm, first, key, at, inForce, limit, period, given)
      end
      firstKey, firstAt = firstKey + (algorithm == sliding and 2 or 1), firstAt + finds[algorithm] * total
      firstSlot = firstSlot + gets[algorithm] * loads
    end
  end
end
if failure then return failure end
return pack("<" .. string.rep("d", 1 + numbers * total), unpack(found, 1, 1 + numbers * total))
