/** How a receiver verifies a delivery, as defined by Standard Webhooks, without a library. */
export const verification: readonly { readonly language: string; readonly code: string }[] = [
  {
    language: 'Node',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the raw request body, before JSON parsing
export function isFromBurgee(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const actual = Buffer.from(signature.replace('v1,', ''), 'base64');
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}`,
  },
  {
    language: 'Python',
    code: `import base64, hashlib, hmac, time

# body: the raw request body, before JSON parsing
def is_from_burgee(secret, headers, body):
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    actual = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in actual)`,
  },
  {
    language: 'Go',
    code: `package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// body: the raw request body, before JSON parsing
func IsFromBurgee(secret string, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, actual := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(actual), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  },
  {
    language: 'Java',
    code: `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Burgee {
  // header: returns a header by name; body: the raw request body
  static boolean isFromBurgee(String secret, UnaryOperator<String> header, byte[] body)
      throws GeneralSecurityException {
    String id = header.apply("webhook-id"), timestamp = header.apply("webhook-timestamp");
    String signatures = header.apply("webhook-signature");
    if (signatures == null || timestamp == null || !timestamp.matches("\\\\d{1,18}")) return false;
    long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
    if (Math.abs(age) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    byte[] key = Base64.getDecoder().decode(secret.replace("whsec_", ""));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    return Arrays.stream(signatures.split(" "))
        .anyMatch(actual -> MessageDigest.isEqual(actual.getBytes(), expected.getBytes()));
  }
}`,
  },
];
