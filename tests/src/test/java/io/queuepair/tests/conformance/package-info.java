// SPDX-License-Identifier: Apache-2.0
/**
 * What the verbs do, seen through the public API. Expectations come from the specification, the man
 * pages and recordings of other devices, never from what the emulator does.
 */
package io.queuepair.tests.conformance;
