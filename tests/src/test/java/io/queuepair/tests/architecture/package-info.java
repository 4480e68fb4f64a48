/** The shape of the code, as tests. */
package io.queuepair.tests.architecture;
