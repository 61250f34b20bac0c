import { expect, test } from '@jest/globals';
import { placeOf, readTarget } from '#console/pages/records/places.ts';
import type { PageDescription } from '#functions/console/description.ts';

const list: PageDescription['list'] = {
  path: '/adminapi/shop/order/list',
  title: { zh_CN: '订单', en: 'Orders' },
  permission: 'login',
  paging: 'cursor',
  query: [],
  item: [],
};
const describePage = (given: Partial<PageDescription>): PageDescription => ({
  ...{ path: 'shop/order', module: 'Shop', title: list.title, records: 'shop_order', list, actions: [] },
  ...given,
});

test('a record is shown by the detail on the page of its folder', () => {
  const found = readTarget('shop_order:one', { pages: [describePage({})] });

  expect(found && placeOf(found)).toEqual({ path: '/shop/order', hash: '#detail/one' });
});

test('a record is shown at the address that its module declares, with its keys', () => {
  const placed = (to: string) => placeOf({ page: describePage({ to }), keys: ['a b&c', 'two'] });

  expect(placed('shop/customer?id={}')).toBe('/shop/customer?id=a%20b%26c');
  expect(placed('shop/customer?id={}&item={}')).toBe('/shop/customer?id=a%20b%26c&item=two');
});

test('a name of a kind that no page has is not a link', () => {
  expect(readTarget('shop_price:one', { pages: [describePage({})] })).toBeUndefined();
});
