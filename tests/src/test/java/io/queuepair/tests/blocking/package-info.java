// SPDX-License-Identifier: Apache-2.0
/** How applications wait: for what never comes, by polling in a loop, and in several threads. */
package io.queuepair.tests.blocking;
