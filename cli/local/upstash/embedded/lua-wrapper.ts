/**
 * Runs the script that stands last in ARGV and returns its reply as JSON; the argument before it is the catalogue,
 * ` NAME:arity:type` for each command. ioredis-mock's own conversion gives back fractions, booleans and nothing at
 * all for `{ok=…}` and `{err=…}`; its calls are not checked, see numbers where Redis stores text, and answer false
 * for an empty string, userdata for an array.
 */
export const LUA_WRAPPER = String.raw`
local raw = redis.call
local source = table.remove(ARGV)
local catalogue = table.remove(ARGV)
local counters = { INCR = 1, INCRBY = 1, DECR = 1, DECRBY = 1 }
local instead = { GET = 'MGET', HGET = 'HMGET' } -- an empty string arrives inside an array, not alone
local statuses = { SET = 1, SETEX = 1, PSETEX = 1, MSET = 1, HMSET = 1, LSET = 1, LTRIM = 1, RENAME = 1,
  FLUSHDB = 1, FLUSHALL = 1, TYPE = 1, PING = 1 }

local function fail(message) error({ err = message }, 0) end

local function to_argument(value)
  if type(value) == 'string' then return value end
  if type(value) ~= 'number' then fail('ERR Lua redis lib command arguments must be strings or integers') end
  if value % 1 == 0 and value > -1e15 and value < 1e15 then return string.format('%.0f', value) end
  return string.format('%.17g', value)
end

-- An array counts from 1, the arrays inside it from 0.
local function from_reply(value, first)
  if type(value) ~= 'userdata' then return value end
  if tostring(value) == 'null' or tostring(value) == 'undefined' then return false end
  local list = {}
  for i = 1, #value do list[i] = from_reply(value[i - 1 + first], 0) end
  return list
end

local function check(name, args)
  local arity, kind = string.match(catalogue, ' ' .. name .. ':(%-?%d+):(%a*)')
  arity = tonumber(arity)
  if not arity then fail('ERR Unknown Redis command called from script') end
  if #args < math.abs(arity) or (arity > 0 and #args > arity) then
    fail('ERR Wrong number of args calling Redis command from script')
  end
  local actual = kind ~= '' and raw('TYPE', args[2]) or 'none'
  if actual ~= 'none' and actual ~= kind then
    fail('WRONGTYPE Operation against a key holding the wrong kind of value')
  end
  if counters[name] and not string.match((raw('GET', args[2]) or '0') .. (args[3] or ''), '^%-?%d+%-?%d*$') then
    fail('ERR value is not an integer or out of range')
  end
end

-- The store's own SCAN counts positions and misses keys when others are deleted on the way.
local function scan(args)
  local pattern = '*'
  for i = 3, #args, 2 do
    local option = string.upper(args[i])
    if option == 'MATCH' then pattern = args[i + 1] or fail('ERR syntax error')
    elseif option ~= 'COUNT' then fail('ERR syntax error') end
  end
  return { '0', from_reply(raw('KEYS', pattern), 1) }
end

local function call(...)
  local args = {}
  for i = 1, select('#', ...) do args[i] = to_argument((select(i, ...))) end
  local name = string.upper(args[1] or '')
  check(name, args)
  if name == 'SCAN' then return scan(args) end
  if name == 'SET' then
    for i = 4, #args do args[i] = string.upper(args[i]) end
  end
  args[1] = instead[name] or name
  local ok, reply = pcall(raw, table.unpack(args))
  if not ok then fail((string.gsub(tostring(reply), '^%a*Error: ', ''))) end
  reply = from_reply(reply, 1)
  if instead[name] then return reply[1] end
  if statuses[name] and type(reply) == 'string' then return { ok = reply } end
  return reply
end

local function quote(text)
  return '"' .. string.gsub(text, '[%c"\\]', function(c) return string.format('\\u%04x', string.byte(c)) end) .. '"'
end

local function encode(value)
  local kind = type(value)
  if kind == 'string' then return quote(value) end
  if kind == 'number' then return string.format('%.0f', value >= 0 and math.floor(value) or math.ceil(value)) end
  if kind == 'boolean' then return value and '1' or 'null' end
  if kind ~= 'table' then return 'null' end
  if type(value.err) == 'string' then return '{"error":' .. quote(value.err) .. '}' end
  if type(value.ok) == 'string' then return quote(value.ok) end
  local items = {}
  for i = 1, math.huge do
    if value[i] == nil then break end
    items[i] = encode(value[i])
  end
  return '[' .. table.concat(items, ',') .. ']'
end

loadstring = load
redis = {
  call = call,
  pcall = function(...)
    local ok, reply = pcall(call, ...)
    return reply
  end,
  error_reply = function(text) return { err = text } end,
  status_reply = function(text) return { ok = text } end,
  log = function() end,
  LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
}

local chunk, problem = load(source, '@user_script')
if not chunk then return encode({ err = 'ERR Error compiling script (new function): ' .. problem }) end
local ok, reply = pcall(chunk)
if not ok and not (type(reply) == 'table' and reply.err) then reply = { err = 'ERR ' .. tostring(reply) } end
return encode(reply)
`;
