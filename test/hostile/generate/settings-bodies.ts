import fc from 'fast-check';
import { hostileKey, hostileText } from './texts.ts';

// No server listens there, and no DNS lookup is needed.
const urls = [
  '',
  'http://127.0.0.1:9',
  'http://localhost:9/v1',
  'http://[::1]:9',
  'ftp://127.0.0.1',
  'http://',
  'x',
  'a:b',
];
const url = fc.constantFrom(...urls);
const line = fc.oneof(fc.constantFrom('', '******', 'abc', ' a '), hostileText);

/** Settings by group; hosts of providers are never left to their defaults together with keys. */
const settings: Record<string, fc.Arbitrary<object>> = {
  basics: fc.record(
    {
      sys_status: fc.constantFrom<unknown>('1', 'on', 'OFF', '', 1, true, 'off', '0', 0, false, 'false'),
      site_name: line,
      closed_message: line,
    },
    { requiredKeys: [] },
  ),
  brand: fc.record(
    {
      name: line,
      logo: fc.oneof(url, line, fc.constantFrom('storage/a.png', '/storage/../a', 'javascript:alert(1)')),
      icon: url,
      colour: fc.constantFrom<unknown>('', '#2F5fd7', '#fff', 'red', '#2f5fd7;}', null, 1),
    },
    { requiredKeys: [] },
  ),
  storage: fc.record({
    default: fc.constantFrom('', 'local', 'LOCAL', 'qiniu', 'aliyun', 'qcloud', 's3', '__proto__'),
  }),
  upload: fc.dictionary(
    fc.constantFrom('image_max_size', 'video_max_size', 'file_max_size'),
    fc.constantFrom<unknown>('', null, 1, 0, -1, 4, 1e9, 1e21, '5', 1.5),
  ),
  login: fc.record({ captcha_enabled: fc.boolean() }),
  sms: fc.record({ driver: fc.constantFrom('', 'local', 'none'), sign_name: line }, { requiredKeys: [] }),
  wechat: fc.record({ base_url: url, mini_app_id: line, mini_secret: line }, { requiredKeys: ['base_url'] }),
  ai: fc.record(
    {
      enabled: fc.boolean(),
      base_url: url,
      api_key: line,
      model: line,
      system_prompt: line,
      max_steps: fc.constantFrom<unknown>(1, 10, 0, 11, 1.5, '3'),
    },
    { requiredKeys: [] },
  ),
};
/** Saves of settings, of existing and unknown groups. */
export const save = fc.oneof(
  ...Object.entries(settings).map(([group, values]) => values.map((each) => ({ group, values: each }))),
  fc.record({ group: hostileKey, values: fc.dictionary(hostileKey, fc.jsonValue(), { maxKeys: 3 }) }),
);
