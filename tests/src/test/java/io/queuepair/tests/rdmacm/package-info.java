// SPDX-License-Identifier: Apache-2.0
/** Connections by address and port: {@code io.queuepair.rdmacm} on emulated hosts. */
package io.queuepair.tests.rdmacm;

