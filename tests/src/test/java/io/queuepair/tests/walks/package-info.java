// SPDX-License-Identifier: Apache-2.0
/** How many classes one looks into to follow a request through the emulator. */
package io.queuepair.tests.walks;
