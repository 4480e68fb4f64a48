// SPDX-License-Identifier: Apache-2.0
/** {@code queuepair demo}: two devices, shown step by step to learners of RDMA. */
package io.queuepair.tools.demo;
