import { expect } from '@jest/globals';
import { copyProject, type ProjectCopy } from './project-copy.ts';
import { runService } from './run-service.ts';

/** Fields of each kind. */
const everyKind = [
  'name:text(100) search label(名称|Name)',
  'sku:text(40) unique optional label(货号|SKU)',
  'price:money label(价格|Price)',
  'status:dict(shop_status) filter label(状态|Status)',
  'due:date optional label(期限|Due)',
];

/** A copy of the project, and the command that makes a resource there. */
interface ProductsCopy extends ProjectCopy {
  /** Makes the resource `shop/product`. @param given fields and options of the command. @default every kind of field */
  make(given?: readonly string[]): Promise<void>;
}

/** @param more what else of the project is copied */
export function copyForProducts(...more: string[]): ProductsCopy {
  const copy = copyProject([
    'package-lock.json',
    'docs',
    'biome.json',
    'permissions.txt',
    '.gitignore',
    ...more,
  ]);
  const make = async (given: readonly string[] = [...everyKind, '--tools']) => {
    const made = await runService(copy.root, {}, 'resource:make', 'Shop', 'product', ...given);
    expect(made).toMatchObject({ code: 0, complaint: '' });
  };
  return { ...copy, make };
}
