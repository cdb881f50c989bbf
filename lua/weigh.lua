-- Weighs a batch of requests that follow one plan. Of each request, first every step is peeked at, then all are charged; if
-- a step in force denies, EARRRL alone is. What one key holds never stops the others.
-- Written for speed: the parts are pasted into the loop instead of called, because a closure costs as much as its work.
-- KEYS  request by request, step by step: one key a step, two for a sliding estimate (this window, the one before)
-- ARGV  the plan as JSON, flat: keys a request, then of each step its algorithm (as numbered below), 1 if it is in force,
--       limit, period in seconds, and window or overage weight; a window of a calendar by its own length and its start in
--       seconds, below 0;
--       then, each "" or left out when not needed: costs as JSON [[of each request], …] step by step, 0 for ones alone;
--       a request of cost 0 is judged as one of cost 1, and charged nothing; a row of `concurrent` with 1 as its last number
--       has the holds of the counter in the row before: one limit is for both;
--       last requests of the runs as JSON (no two requests of a run share a key); "read" to charge nothing, "charge" to deny
--       nothing and to end holds, for requests that have passed; the clock in µs, with "charge" the moment of the requests;
--       where a step holds, the name of each request's holds as JSON
-- Reply one string of doubles: the clock in µs, then step by step, number by number, request by request the found numbers,
--       NaN for a key that Sluice did not write. The clock alone when a window was guessed wrong: then nothing was done.
local keys, planText, costsText, runsText, mode, injectedText, namesText = KEYS, unpack(ARGV, 1, 6)

-- The same numbers as in lib/enforce/algorithms/algorithms.ts, which a test compares. Those up to `sliding` count in windows of
-- the clock; those from `rollingList` on in lists and sets, the last one what is under way. Of each: how many strings are brought, how many numbers found.
local fixed, sliding, firstHit, gcra, earrrl, rollingList, rollingSet, concurrent = 1, 2, 3, 4, 5, 6, 7, 8
local gets, finds = {0, 2, 1, 1, 1, 0, 0, 0}, {1, 2, 2, 1, 1, 2, 2, 2}
local firstStep, stepSize, second, nan = 2, 5, 1000000, 0 / 0

local plan, isReading, isCharging = cjson.decode(planText), mode == "read", mode == "charge"
local injected = injectedText and tonumber(injectedText)
local costs = costsText and costsText ~= "" and cjson.decode(costsText)
local runs = runsText and runsText ~= "" and cjson.decode(runsText)
local pcall, ceil, format, type, pack = redis.pcall, math.ceil, string.format, type, struct.pack

local time = redis.call("TIME")
local real = time[1] * second + time[2]
local now = injected or real
-- Keys expire by Redis' own clock; by an injected one they may still have an hour to live.
local graceMs = injected and not isCharging and 3600000 or 0

local width, numbers, last, rolls, waits, failure = plan[1], 0, 0, false, false, nil
for step = firstStep, #plan, stepSize do
  local algorithm = plan[step]
  if algorithm <= sliding then
    local window, length = plan[step + 4], plan[step + 3] * second
    local start = window < 0 and -window * second or window * length
    if now < start or now >= start + length then return pack("<d", now) end
  end
  numbers, rolls = numbers + finds[algorithm], rolls or algorithm >= rollingList and algorithm ~= concurrent
  waits = waits or algorithm ~= fixed and algorithm ~= earrrl
end

-- The found numbers, filled in order so that Lua keeps them as an array; the denied requests; the fixed steps that are over;
-- and by `at`, the times of states that are ahead of a clock that stepped back.
local total = #keys / width
local found, denied, overs, ahead = {now, 0, 0, 0, 0, 0, 0, 0}, {}, {}, {}
for at = #found + 1, 1 + numbers * total do found[at] = 0 end

-- include: numbers.lua
local rolling
if rolls then
  -- include: rolling.lua
end
local holding
if namesText or isReading then
  -- include: concurrent.lua
end

for run = 1, runs and #runs or 1 do
  local first, held = last + 1, nil
  last = runs and runs[run] or total
  local requests = last - first + 1
  -- include: bring.lua
  for pass = 1, isReading and 1 or 2 do
    local isPeek = pass == 1
    -- Fixed windows and EARRRL were charged at once; denied requests get the charge of fixed windows back.
    if not isPeek and not waits and not next(denied) and not next(overs) then break end
    -- The places of the first request's key, of its number, and of its value in `held`. From request to request they move by
    -- `width`, by one and by one; a step's second number and value follow after those of all requests.
    local firstKey, firstAt, firstSlot = (first - 1) * width + 1, first + 1, 1
    for step = firstStep, #plan, stepSize do
      local algorithm, inForce = plan[step], plan[step + 1] == 1 and not isCharging
      local limit, period = plan[step + 2], plan[step + 3] * second
      local most = isCharging and math.huge or limit
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
      elseif algorithm == concurrent then
        holding(isPeek, step, first, key, at, inForce, limit, period, given)
      else
        rolling(isPeek, algorithm, first, key, at, inForce, limit, most, period, given)
      end
      firstKey, firstAt = firstKey + (algorithm == sliding and 2 or 1), firstAt + finds[algorithm] * total
      firstSlot = firstSlot + gets[algorithm] * requests
    end
  end
end
if failure then return failure end
return pack("<" .. string.rep("d", 1 + numbers * total), unpack(found, 1, 1 + numbers * total))
