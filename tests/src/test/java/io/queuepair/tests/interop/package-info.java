// SPDX-License-Identifier: Apache-2.0
/**
 * The other side of the programs that run in the Linux guest, for {@code tests/interop/run}. Not a
 * test by itself: it needs a peer.
 */
package io.queuepair.tests.interop;
