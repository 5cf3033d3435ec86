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

/** The sites whose pages may ask for features. */
export function Origins() {
  const refusal = useRefusal('UPDATE_CORS');
  return (
    <Page
      title="Browser origins"
      lead="A browser asks the frontend API only from pages of these sites (CORS). Servers and phones are not concerned."
      refusal={refusal}
    >
      <OriginForm />
    </Page>
  );
}

/** The server says which of them it refuses by its place. */
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
          label="Origins"
          description="Scheme, host and port, then Enter."
          placeholder="https://shop.example.com"
          clearable
          splitChars={[',', ' ']}
          value={values.origins}
          error={originFault(save.error, values.origins)}
          onChange={(origins) => set('origins', origins)}
        />
        {values.origins.includes('*') && (
          <Alert color="gray">
            <Code>*</Code> lets every site ask. A frontend token is still needed.
          </Alert>
        )}
        {values.origins.length === 0 && (
          <Text size="sm">Without any, no page of another site may ask.</Text>
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
