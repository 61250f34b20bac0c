import type { Names } from './names.ts';

/** A page of the console. */
export const renderPage = ({ prefix, title }: Names): string => `\
<script lang="ts">
import { definePage } from '#console/kit/page.ts';

// A page of the console: docs/console.md. The list of kinds has a generated page beside it.
export const page = definePage({
  path: 'overview',
  title: { zh_CN: '概览', en: 'Overview' },
  permission: '${prefix}/kind/list',
});
</script>

<script setup lang="ts">
import { ElEmpty, ElTag } from 'element-plus';
import { ref } from 'vue';
import { useConsole } from '#console/kit/context.ts';
import ErrorState from '#console/base/error-state.vue';
import { toError } from '#console/base/latest.ts';
import LoadingState from '#console/base/loading-state.vue';

const { call, localise } = useConsole();
const kinds = ref<{ name: string; value: string }[]>();
const failure = ref<Error>();

async function load(): Promise<void> {
  failure.value = undefined;
  try {
    const { list } = await call<{ list: { name: string; value: string }[] }>(
      'GET',
      '/adminapi/${prefix}/kind/list',
    );
    kinds.value = list;
  } catch (error) {
    failure.value = toError(error);
  }
}
load();
</script>

<template>
  <section class="panel">
    <h1>${title} · {{ localise(page.title) }}</h1>
    <error-state v-if="failure" :error="failure" @retry="load" />
    <loading-state v-else-if="!kinds" />
    <el-empty v-else-if="kinds.length === 0" />
    <p v-else class="toolbar">
      <el-tag v-for="kind of kinds" :key="kind.value">{{ kind.name }}</el-tag>
    </p>
  </section>
</template>
`;
