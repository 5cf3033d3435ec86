import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { configurationContract } from '../../../src/modules/integrations/configuration/contract.ts';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { read } from '../queries.ts';
import { useFocusOnFault } from '../ui/faults.ts';
import { notFound } from '../ui/format.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { PageLink } from '../ui/link.tsx';
import { MissingPage } from '../ui/page-problem.tsx';
import { LeaveQuestion } from '../ui/save-bar.tsx';
import { useSaveForm } from '../ui/save-form.ts';
import { faultIn, faultsOutside } from '../ui/save-mutation.ts';
import { WithCode } from '../ui/with-code.tsx';
import { IntegrationFields } from './fields.tsx';
import { bodyOf, emptyForm, missingIn } from './form.ts';
import { nameOf } from './integration-name.ts';
import classes from './integrations.module.css';
import { PreviewPanel } from './preview.tsx';
import { ProviderIntroduction } from './provider-introduction.tsx';
import { ShownSecret } from './signing.tsx';
import type { Provider } from './words.ts';

const route = getRouteApi('/shell/integrations/create/$provider');

/** A new integration of one provider. */
export function CreateIntegration() {
  const { provider: name } = route.useParams();
  const { providers } = useSuspenseQuery(read('GET /api/admin/addons', {})).data;
  const provider = providers.find((each) => each.name === name);
  return provider ? (
    <CreateForm key={name} provider={provider} />
  ) : (
    <MissingPage message={notFound('Provider', name)} />
  );
}

function CreateForm({ provider }: { readonly provider: Provider }) {
  const navigate = route.useNavigate();
  const refusal = useRefusal('CREATE_ADDON');
  const { form, result, ...create } = useSaveForm({
    initialValues: emptyForm(provider),
    schema: configurationContract.createIntegration.body,
    bodyOf: (values) => bodyOf(provider.name, values),
    send: (body) => api('POST /api/admin/addons', { body }),
    refreshes: ['GET /api/admin/addons'],
    onSaved: async ({ id, generated }) => {
      if (generated === undefined) {
        await navigate({ to: '/integrations/$id', params: { id: String(id) } });
      }
    },
  });
  const frame = useFocusOnFault<HTMLFormElement>(create.failure);
  if (result?.generated) {
    return (
      <Stack maw={720}>
        <Title order={1} size="h2" className={classes.anywhere} dir="auto">
          {nameOf(result, [provider])} created
        </Title>
        <ShownSecret secret={result.generated.signingSecret} />
        <Text size="sm">
          Use it to verify that requests come from Burgee. The integration's settings have code
          samples for Node, Python, Go, and Java.
        </Text>
        <Group>
          <Button
            onClick={() =>
              void navigate({ to: '/integrations/$id', params: { id: String(result.id) } })
            }
          >
            Done
          </Button>
          <PageLink
            to="/integrations/edit/$id"
            params={{ id: String(result.id) }}
            hash="signature"
            size="sm"
          >
            Verify signatures
          </PageLink>
        </Group>
      </Stack>
    );
  }
  const missing = missingIn(provider, form.values);
  return (
    <>
      <PageLink to="/integrations" size="sm">
        Integrations
      </PageLink>
      <Title order={1} size="h2" mb="md">
        New {provider.displayName} integration
      </Title>
      {refusal !== undefined && (
        <Alert color="gray" mb="md">
          <WithCode text={refusal} />
        </Alert>
      )}
      <LeaveQuestion hasChanges={form.isDirty() && !create.isPending && !create.isSuccess} />
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
            form={form.values}
            disabled={refusal !== undefined}
            errorAt={(field) => faultIn(form.errors, field)}
            set={(field, value) => {
              // This alone would clear the faults of all fields.
              form.setValues({ [field]: value });
              form.setErrors(faultsOutside(form.errors, field));
            }}
          />
          {create.error && (
            <Alert color="red" role="alert">
              {create.error.message}
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
        {refusal === undefined && <PreviewPanel provider={provider.name} form={form.values} />}
      </form>
    </>
  );
}
