import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { log } from '#shared/log/log.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { isLine, text } from '#shared/schema/text.ts';
import { defineConfigGroup, setting, textSetting } from '#shared/settings/group.ts';
import { readSettings } from '#shared/settings/store.ts';

/** As CSS writes it, or empty. */
const colour = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.regex(/^(#[0-9a-f]{6})?$/, { error: 'rule.colour' }));

const picture = (zh_CN: string, en: string) =>
  setting({
    schema: mediaUrl(z.maxLength(500), z.refine(isLine, { error: 'rule.line' })),
    default: '',
    description: { zh_CN, en },
    hints: { media: 'image' },
  });

/** What the console looks like, also before the login. */
export const brand = defineConfigGroup({
  name: 'brand',
  title: { zh_CN: '品牌外观', en: 'Brand' },
  keys: {
    name: textSetting(
      text(0, 40),
      '名称，显示在登录页、菜单和浏览器标签上',
      'Name, shown on the login page, in the menu and on the browser tab',
    ),
    logo: picture('标志，显示在名称旁边', 'Logo, shown beside the name'),
    icon: picture('图标，显示在浏览器标签上', 'Icon, shown on the browser tab'),
    colour: setting({
      schema: colour,
      default: '',
      description: {
        zh_CN: '颜色，控制台据此得出两种主题下都清晰可读的色调；留空则用默认颜色',
        en: 'Colour, the console derives shades from it that are easy to read in both themes; if empty, it uses its own',
      },
      hints: { type: 'colour' },
    }),
  },
  onSaved: forgetBrand,
});

/** What the console's index says to everybody who opens it. */
export interface Brand {
  name: string;
  /** Public URLs; empty if there is no picture. */
  logo: string;
  icon: string;
  colour: string;
  /** The stage of the deployment; empty for `prod`. */
  stage: string;
}

/** How long an instance keeps the brand, in milliseconds, as it keeps the policy of the console. */
const keepMs = 60_000;
let kept: { atMs: number; brand: Promise<Brand> } | undefined;

/** The brand, read at most once a minute. A save in this process counts at once. */
export function readBrand(): Promise<Brand> {
  const now = performance.now();
  if (!kept || now - kept.atMs >= keepMs) kept = { atMs: now, brand: loadBrand() };
  return kept.brand;
}

function forgetBrand(): void {
  kept = undefined;
}

/** Empty if it cannot be read: the console must open also then. */
async function loadBrand(): Promise<Brand> {
  const stage = findStage();
  try {
    const { name, logo, icon, colour: given } = await readSettings(brand);
    return { name, logo: toPublic('logo', logo), icon: toPublic('icon', icon), colour: given, stage };
  } catch (error) {
    log.warn('console.brand_unknown', { error });
    return { name: '', logo: '', icon: '', colour: '', stage };
  }
}

const toPublic = (key: 'logo' | 'icon', url: string): string =>
  String(convertMedia(brand.keys[key].schema, url));

/** The stage that operators should be warned of. A function without a known stage names none. */
function findStage(): string {
  const { isDeployed, metricsTarget } = environment();
  const stage = isDeployed ? (metricsTarget?.stage ?? '') : 'local';
  return stage === 'prod' ? '' : stage;
}
