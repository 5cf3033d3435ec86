import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { invalidate, read } from '../queries.ts';
import { formFault, useFocusOnFault } from '../ui/faults.ts';
import { notFound } from '../ui/format.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { PageLink } from '../ui/link.tsx';
import { Problem } from '../ui/problem.tsx';
import { LeaveQuestion } from '../ui/save-bar.tsx';
import { IntegrationFields } from './fields.tsx';
import { bodyOf, emptyForm, type Form, fieldsOf, missingIn } from './form.ts';
import classes from './integrations.module.css';
import { PreviewPanel } from './preview.tsx';
import { ProviderIntroduction } from './provider-introduction.tsx';
import { ShownSecret } from './signing.tsx';
import { nameOf, type Provider } from './words.ts';

const route = getRouteApi('/shell/integrations/create/$provider');

/** A new integration of one provider. */
export function CreateIntegration() {
  const { provider: name } = route.useParams();
  const { providers } = useSuspenseQuery(read('GET /api/admin/addons', {})).data;
  const provider = providers.find((each) => each.name === name);
  return provider ? (
    <CreateForm key={name} provider={provider} />
  ) : (
    <Problem error={new Error(notFound('Provider', name))} />
  );
}

function CreateForm({ provider }: { readonly provider: Provider }) {
  const navigate = route.useNavigate();
  const refusal = useRefusal('CREATE_ADDON');
  const [first] = useState<Form>(() => emptyForm(provider));
  const [form, setForm] = useState(first);
  const create = useMutation({
    mutationFn: () => api('POST /api/admin/addons', { body: bodyOf(provider.name, form) }),
    onSuccess: async ({ id, generated }) => {
      await invalidate('GET /api/admin/addons');
      if (generated === undefined) {
        await navigate({ to: '/integrations/$id', params: { id: String(id) } });
      }
    },
  });
  const frame = useFocusOnFault<HTMLFormElement>(create.error);
  if (create.data?.generated) {
    return (
      <Stack maw={720}>
        <Title order={1} size="h2">
          {nameOf(create.data, [provider])} is there
        </Title>
        <ShownSecret secret={create.data.generated.signingSecret} />
        <Text size="sm">
          The receiver verifies each request with it. How, in four languages, stands in the settings
          of the integration.
        </Text>
        <Group>
          <Button
            onClick={() =>
              void navigate({ to: '/integrations/$id', params: { id: String(create.data.id) } })
            }
          >
            I have copied it
          </Button>
          <PageLink
            to="/integrations/edit/$id"
            params={{ id: String(create.data.id) }}
            hash="signature"
            size="sm"
          >
            How to verify
          </PageLink>
        </Group>
      </Stack>
    );
  }
  const missing = missingIn(provider, form);
  const fields = [
    ...['description', 'events', 'retentionDays', 'projects/0', 'tags/0'],
    ...fieldsOf(provider).map((each) => `parameters/${each.name}`),
  ];
  const failure = formFault(create.error, fields);
  return (
    <>
      <PageLink to="/integrations" size="sm">
        Integrations
      </PageLink>
      <Title order={1} size="h2" mb="md">
        New integration: {provider.displayName}
      </Title>
      <LeaveQuestion hasChanges={form !== first && !create.isPending && !create.isSuccess} />
      <form
        ref={frame}
        className={classes.columns}
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined && refusal === undefined) create.mutate();
        }}
      >
        <Stack gap="xl">
          <ProviderIntroduction provider={provider} />
          <IntegrationFields
            provider={provider}
            form={form}
            disabled={refusal !== undefined}
            error={create.error}
            set={(field, value) => setForm((before) => ({ ...before, [field]: value }))}
          />
          {failure !== undefined && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group>
            <GuardedButton type="submit" refusal={refusal ?? missing} loading={create.isPending}>
              Create
            </GuardedButton>
            {missing !== undefined && refusal === undefined && (
              <Text size="sm" className="quiet">
                {missing}
              </Text>
            )}
          </Group>
        </Stack>
        {refusal === undefined && <PreviewPanel provider={provider.name} form={form} />}
      </form>
    </>
  );
}
