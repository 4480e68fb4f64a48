// SPDX-License-Identifier: Apache-2.0
/** Extended posting: what a batch may hold, what it does, and who may use it when. */
package io.queuepair.tests.posting;
