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
          label="Allowed origins"
          description="Scheme, host, and port. Press Enter to add."
          placeholder="https://shop.example.com"
          clearable
          splitChars={[',', ' ']}
          value={origins}
          error={faults[0] ?? draft.errorAt('frontendApiOrigins') ?? draft.error?.message}
          onChange={(value) => draft.set('frontendApiOrigins', value)}
        />
        {origins.includes('*') && (
          <Alert color="gray">
            <Code>*</Code> allows every site. A frontend token is still required.
          </Alert>
        )}
        {origins.length === 0 && (
          <Text size="sm">With no origins, other sites can't call the frontend API.</Text>
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
