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
        <Title order={1} size="h2" className={classes.anywhere} dir="auto">
          {nameOf(create.data, [provider])} created
        </Title>
        <ShownSecret secret={create.data.generated.signingSecret} />
        <Text size="sm">
          Use it to verify that requests come from Burgee. The integration's settings have code
          samples for Node, Python, Go, and Java.
        </Text>
        <Group>
          <Button
            onClick={() =>
              void navigate({ to: '/integrations/$id', params: { id: String(create.data.id) } })
            }
          >
            Done
          </Button>
          <PageLink
            to="/integrations/edit/$id"
            params={{ id: String(create.data.id) }}
            hash="signature"
            size="sm"
          >
            Verify signatures
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
        New {provider.displayName} integration
      </Title>
      <LeaveQuestion
        hasChanges={form !== first && !create.isPending && !create.isSuccess}
        isKept={false}
      />
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
              Create integration
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
