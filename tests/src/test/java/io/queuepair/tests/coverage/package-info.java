// SPDX-License-Identifier: Apache-2.0
/** What of RDMA devices can cover, and that the tests cover all of it. */
package io.queuepair.tests.coverage;
