import { Alert, Code, Stack, TagsInput, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { useDraft } from '../../ui/draft.ts';
import { fieldFault, formFault } from '../../ui/faults.ts';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import classes from '../admin.module.css';

/** The sites that may call the frontend API from a browser. */
export function Origins() {
  const refusal = useRefusal('UPDATE_CORS');
  return (
    <Page
      title="CORS origins"
      lead="Sites allowed to call the frontend API from a browser. Backend and mobile SDKs aren't affected."
      refusal={refusal}
    >
      <OriginForm />
    </Page>
  );
}

/** The server names the rejected origin by its index. */
function originFault(error: unknown, origins: readonly string[]): string | undefined {
  const place = origins.findIndex(
    (_, index) => fieldFault(error, `frontendApiOrigins/${index}`) !== undefined,
  );
  return place < 0
    ? formFault(error, [])
    : fieldFault(error, `frontendApiOrigins/${place}`)?.replace(/^It /, `“${origins[place]}” `);
}

function OriginForm() {
  const { frontendApiOrigins } = useSuspenseQuery(read('GET /api/admin/ui-config', {})).data;
  const { values, changed, set, discard } = useDraft({ origins: [...frontendApiOrigins] });
  const save = useMutation({
    mutationFn: () =>
      api('POST /api/admin/ui-config/cors', { body: { frontendApiOrigins: values.origins } }),
    onSuccess: async () => {
      await invalidate('GET /api/admin/ui-config');
      discard();
      tellDone({ id: 'origins', title: 'CORS origins saved' });
    },
  });
  const added = values.origins.filter((each) => !frontendApiOrigins.includes(each));
  const removed = frontendApiOrigins.filter((each) => !values.origins.includes(each));
  return (
    <>
      <Stack className={`card ${classes.form}`} p="lg">
        <TagsInput
          label="Allowed origins"
          description="Scheme, host, and port. Press Enter to add."
          placeholder="https://shop.example.com"
          clearable
          splitChars={[',', ' ']}
          value={values.origins}
          error={originFault(save.error, values.origins)}
          onChange={(origins) => set('origins', origins)}
        />
        {values.origins.includes('*') && (
          <Alert color="gray">
            <Code>*</Code> allows every site. A frontend token is still required.
          </Alert>
        )}
        {values.origins.length === 0 && (
          <Text size="sm">With no origins, other sites can't call the frontend API.</Text>
        )}
      </Stack>
      <SaveBar
        changes={
          changed.length === 0
            ? []
            : [...added.map((each) => `+ ${each}`), ...removed.map((each) => `− ${each}`)]
        }
        isSaving={save.isPending}
        onSave={() => save.mutate()}
        onDiscard={discard}
      />
    </>
  );
}
