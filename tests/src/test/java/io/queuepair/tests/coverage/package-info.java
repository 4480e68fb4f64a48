// SPDX-License-Identifier: Apache-2.0
/** Parts of RDMA that devices can cover, all of which the tests cover. */
package io.queuepair.tests.coverage;
