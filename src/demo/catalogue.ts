/** The lifecycle of a feature until today. */
export type Life =
  | 'planned'
  | 'developed'
  | 'tried'
  | 'growing'
  | 'everywhere'
  | 'withdrawn'
  | 'forgotten'
  | 'completed'
  | 'archived';

export interface DemoFeature {
  readonly name: string;
  readonly type: 'release' | 'experiment' | 'operational' | 'kill-switch' | 'permission';
  readonly life: Life;
  readonly daysAgo: number;
  readonly description: string;
  readonly tags?: readonly string[];
}

const types = {
  r: 'release',
  x: 'experiment',
  o: 'operational',
  k: 'kill-switch',
  p: 'permission',
} as const;

/** One line each: type, name, life, age in days, description, tags. */
const parseFeatures = (lines: string): DemoFeature[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [type = 'r', name = '', life = 'planned', age = '1', description = '', tags = ''] = line
        .split('|')
        .map((part) => part.trim());
      return {
        name,
        type: types[type as keyof typeof types],
        life: life as Life,
        daysAgo: Number(age),
        description,
        ...(tags && { tags: tags.split(' ') }),
      };
    });

/** A hundred features of a shop, of all ages and types, by project. */
export const catalogue: Readonly<Record<string, readonly DemoFeature[]>> = {
  'web-shop': parseFeatures(`
    r | new-navigation          | archived   | 178 | Two-level navigation menu | frontend
    r | product-zoom            | completed  | 171 | Zoom product images on hover | frontend
    x | home-hero               | archived   | 165 | Test hero images on the home page | growth
    r | dark-mode               | everywhere | 158 | Dark mode that follows the device setting | frontend accessibility
    o | image-cdn               | everywhere | 149 | Serve images from the secondary CDN | platform
    r | wishlists               | forgotten  | 144 | Shareable wishlists | growth
    r | gift-cards              | completed  | 131 | Buy and redeem gift cards
    k | reviews                 | everywhere | 127 | Turns off customer reviews during a spam attack
    p | staff-preview           | everywhere | 118 | Early access to features for employees
    x | free-shipping-banner    | forgotten  | 109 | Does a free shipping banner increase sales? | growth
    r | size-advisor            | growing    | 88  | Recommend a size based on past orders | ml
    r | live-stock              | growing    | 71  | Show remaining stock on product pages
    x | product-page-layout     | growing    | 52  | Product image on the left, right, or top | growth frontend
    r | account-deletion        | everywhere | 47  | Let customers delete their own account | legal
    r | passkeys                | tried      | 36  | Sign in with a passkey | security
    r | recently-viewed         | developed  | 24  | Show the last ten viewed products
    r | compare-products        | developed  | 15  | Compare up to four products side by side
    r | ar-preview              | planned    | 6   | View furniture in your room with AR
  `),
  checkout: parseFeatures(`
    r | pay-one-page            | completed  | 172 | One-page checkout
    r | pay-paypal-express      | completed  | 163 | PayPal Express from the cart
    k | pay-provider-b          | everywhere | 157 | Fall back to the secondary payment provider | payments
    o | pay-slow-lane           | everywhere | 146 | Queue orders when the bank is slow | payments
    r | pay-apple               | everywhere | 138 | Apple Pay | payments
    r | pay-google              | everywhere | 137 | Google Pay | payments
    x | pay-button-color        | archived   | 121 | Green vs. orange buy button | growth
    r | pay-in-three            | forgotten  | 112 | Three interest-free installments | payments legal
    r | pay-invoice-b2b         | growing    | 90  | Pay by invoice for business customers | payments
    x | pay-tip                 | withdrawn  | 77  | Round up the total for charity
    r | pay-address-check       | growing    | 58  | Address autocomplete
    p | pay-manual-review       | everywhere | 49  | Who can approve flagged orders | security
    r | pay-sca-exemption       | tried      | 33  | Skip strong customer authentication for small amounts | payments legal
    r | pay-crypto              | withdrawn  | 29  | Pay with cryptocurrency
    r | pay-save-basket         | developed  | 12  | Sync the cart across devices
    r | pay-voucher-stack       | planned    | 4   | Apply several vouchers to one order
  `),
  mobile: parseFeatures(`
    r | push-orders             | completed  | 156 | Push notification when an order ships
    r | offline-catalogue       | archived   | 150 | Browse the catalog offline
    k | force-update            | everywhere | 142 | Require old app versions to update
    r | barcode-scan            | everywhere | 125 | Scan a barcode to find a product
    x | onboarding-steps        | forgotten  | 108 | Three or five onboarding steps | growth
    r | biometric-login         | everywhere | 93  | Sign in with Face ID or fingerprint | security
    r | new-player              | withdrawn  | 81  | New video player; rolled back because it drained batteries
    o | crash-sampling          | everywhere | 69  | Sampling rate for crash reports | platform
    r | share-sheet             | growing    | 55  | Use the native share sheet
    r | order-widget            | growing    | 41  | Home screen widget for order tracking
    x | tab-bar-labels          | growing    | 30  | Tab bar icons with or without labels | growth
    r | visual-search           | tried      | 22  | Search with a photo | ml
    r | watch-app               | developed  | 10  | Order tracking on the watch
    r | tablet-layout           | planned    | 3   | Two-column layout on tablets
  `),
  search: parseFeatures(`
    r | typo-tolerance          | completed  | 147 | Find products despite typos
    r | synonyms                | completed  | 139 | Treat sofa, couch, and settee as synonyms
    x | ranking-clicks          | archived   | 128 | Rank results by clicks | ml
    x | ranking-margin          | withdrawn  | 116 | Rank results by margin
    o | index-rebuild           | everywhere | 102 | Allow the nightly index rebuild during the day | platform
    r | facets-v2               | everywhere | 95  | Filters with result counts
    k | suggestions             | everywhere | 84  | Turns off suggestions under heavy load
    r | voice-search            | forgotten  | 73  | Search by voice
    r | vector-search           | growing    | 60  | Semantic search | ml
    x | zero-results-help       | growing    | 44  | Alternatives when a search has no results | growth
    r | personal-ranking        | tried      | 31  | Rank results by purchase history | ml legal
    r | search-in-reviews       | developed  | 18  | Include reviews in search
    r | image-filters           | planned    | 5   | Filter by color in product images
  `),
  warehouse: parseFeatures(`
    r | handheld-app            | completed  | 130 | Picking with a handheld scanner
    o | night-batch             | everywhere | 122 | Run inventory counts at night
    r | wave-picking            | everywhere | 111 | Pick several orders in one run
    k | robot-lane              | everywhere | 97  | Emergency stop for robots | safety
    r | label-printer-b         | forgotten  | 86  | Label printers in the new building
    x | shelf-order             | growing    | 67  | Sort shelves by size or turnover
    r | returns-photo           | growing    | 50  | Photo documentation of returns
    p | stock-correction        | everywhere | 42  | Who can correct inventory counts
    r | dock-booking            | tried      | 27  | Dock appointments for carriers
    r | cold-chain              | developed  | 16  | Temperature monitoring | safety
    r | drone-count             | planned    | 7   | Inventory counts by drone
  `),
  'anniversary-sale': parseFeatures(`
    r | sale-countdown          | archived   | 118 | Countdown on the home page
    o | sale-queue              | archived   | 115 | Waiting room for peak traffic | platform
    k | sale-recommendations    | archived   | 113 | Turns off expensive recommendations
    x | sale-early-access       | archived   | 104 | Early access for members | growth
  `),
  platform: parseFeatures(`
    o | trace-sampling          | everywhere | 72  | Sampling rate for traces | platform
    k | read-only               | everywhere | 70  | Read-only mode: browsing works, orders are off | safety
    o | db-failover             | everywhere | 66  | Read from the standby database | platform
    r | new-gateway             | growing    | 61  | Route requests through the new gateway | platform
    p | debug-headers           | everywhere | 57  | Who sees timing headers | security
    r | grpc-internal           | growing    | 46  | gRPC between services | platform
    o | cache-warmup            | withdrawn  | 38  | Warm caches before deploys | platform
    r | otel-logs               | tried      | 28  | Send logs through the OpenTelemetry collector | platform
    r | edge-config             | developed  | 19  | Serve configuration from the edge | platform
    k | outbound-webhooks       | everywhere | 54  | Stops all outbound webhooks | safety
    r | tenant-isolation        | developed  | 14  | Dedicated databases for large customers | platform security
    r | wasm-rules              | planned    | 2   | Evaluate rules in the browser with WebAssembly
  `),
  default: parseFeatures(`
    r | hello-world             | everywhere | 179 | The first feature in this instance
    k | sign-up                 | everywhere | 90  | Stops sign-ups during bot attacks | security
    r | footer-v2               | forgotten  | 64  | New footer
    r | cookie-banner-v3        | completed  | 48  | Cookie banner with equally visible buttons | legal
    r | status-page             | growing    | 25  | Public status page
    x | newsletter-frequency    | growing    | 20  | Weekly or monthly newsletter | growth
    p | beta-testers            | everywhere | 13  | Who sees beta features
    r | help-center-search      | developed  | 9   | Search in the help center
    r | accessibility-menu      | completed  | 103 | Contrast, text size, and motion settings | accessibility
    o | mail-provider-b         | everywhere | 82  | Send email through the secondary provider | platform
    r | loyalty-points          | growing    | 35  | Earn a point for every euro spent | growth
    r | easter-egg              | planned    | 1   | A surprise for keyboard fans
  `),
};
