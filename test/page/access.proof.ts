import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest();

withBrowser('the administration pages', () => {
  test('a missing role or application has its own page with a link back', async ({
    page,
    visit,
  }) => {
    await visit('/admin/roles/4711');
    await page.getByRole('heading', { name: 'Role not found', level: 1 }).waitFor();
    await moveTo(page, '/applications/nobody');
    await page.getByRole('heading', { name: 'Application not found' }).waitFor();
    await page.getByRole('link', { name: 'All applications' }).click();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    // On a phone, the open tab is in view.
    await page.setViewportSize({ width: 360, height: 740 });
    await moveTo(page, '/profile?tab=access');
    const tab = page.getByRole('tab', { name: 'Permissions' });
    await expect
      .poll(async () => Math.round((await tab.boundingBox())?.x ?? 999))
      .toBeLessThan(300);
  });
});
