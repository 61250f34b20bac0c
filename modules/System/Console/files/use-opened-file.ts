import { type Ref, shallowRef, watch } from 'vue';
import { toError, useLatest } from '#console/base/latest.ts';
import { useConsole } from '#console/kit/context.ts';
import type { FileRecord } from '#console/kit/files/use-files.ts';
import { useAddress } from '#console/pages/use-address.ts';

/** The file whose details are shown, opened and closed by the address. @param files that are listed */
export function useOpenedFile(files: Ref<readonly FileRecord[]>) {
  const { client, message } = useConsole();
  const { address, hrefOf, open, close } = useAddress();
  const shown = shallowRef<FileRecord>();
  const latest = useLatest();
  const addressOf = ({ id }: FileRecord) => ({ action: 'detail', keys: [id] });

  watch(
    address,
    (wanted) => {
      latest.cancel();
      const [id] = wanted?.action === 'detail' ? wanted.keys : [];
      shown.value = files.value.find((file) => file.id === id);
      if (id === undefined || shown.value) return;
      // The list may not show it, or not yet.
      void latest.run(
        () => client.systemAdminFileDetail(id),
        ({ data }) => {
          shown.value = data;
        },
        (error) => {
          message.error(toError(error));
          void close();
        },
      );
    },
    { immediate: true },
  );
  return {
    shown,
    hrefOf: (file: FileRecord) => hrefOf(addressOf(file)),
    open: (file: FileRecord) => open(addressOf(file)),
    close,
  };
}
