import { Alert, Code, Stack, TagsInput, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { contract } from '../../../../src/modules/access/settings/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { useDraftForm } from '../../ui/draft-form.ts';
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

function OriginForm() {
  const { frontendApiOrigins } = useSuspenseQuery(read('GET /api/admin/ui-config', {})).data;
  const draft = useDraftForm({
    saved: { frontendApiOrigins: [...frontendApiOrigins] },
    schema: contract.setCors.body,
    bodyOf: (form) => form,
    send: (body) => api('POST /api/admin/ui-config/cors', { body }),
    refreshes: ['GET /api/admin/ui-config'],
    onSaved: () => tellDone({ id: 'origins', title: 'CORS origins saved' }),
  });
  const origins = draft.values.frontendApiOrigins;
  const added = origins.filter((each) => !frontendApiOrigins.includes(each));
  const removed = frontendApiOrigins.filter((each) => !origins.includes(each));
  const faults = origins.flatMap(
    (origin, index) =>
      draft.errorAt(`frontendApiOrigins.${index}`)?.replace(/^It /, `“${origin}” `) ?? [],
  );
  return (
    <>
      <Stack className={`card ${classes.form}`} p="lg">
        <TagsInput
          label="Origins"
          description="Scheme, host and port, then Enter."
          placeholder="https://shop.example.com"
          clearable
          splitChars={[',', ' ']}
          value={origins}
          error={faults[0] ?? draft.errorAt('frontendApiOrigins') ?? draft.error?.message}
          onChange={(value) => draft.set('frontendApiOrigins', value)}
        />
        {origins.includes('*') && (
          <Alert color="gray">
            <Code>*</Code> lets every site ask. A frontend token is still needed.
          </Alert>
        )}
        {origins.length === 0 && (
          <Text size="sm">Without any, no page of another site may ask.</Text>
        )}
      </Stack>
      <SaveBar
        changes={
          draft.changed.length === 0
            ? []
            : [...added.map((each) => `+ ${each}`), ...removed.map((each) => `− ${each}`)]
        }
        isSaving={draft.isPending}
        onSave={draft.save}
        onDiscard={draft.discard}
      />
    </>
  );
}
