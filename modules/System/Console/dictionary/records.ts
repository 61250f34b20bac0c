import type { useConsole } from '#console/kit/context.ts';

type Client = ReturnType<typeof useConsole>['client'];
export type DictType = Awaited<ReturnType<Client['systemAdminSettingDictTypeDetail']>>['data'];
export type DictItem = Awaited<ReturnType<Client['systemAdminSettingDictDataDetail']>>['data'];
