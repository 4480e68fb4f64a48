// SPDX-License-Identifier: Apache-2.0
/** The shape of the code, as tests. */
package io.queuepair.tests.architecture;
