;; XXH64 with seed 0, over bytes that lie in the shared memory. The four lanes of a running hash are kept by the
;; caller and lie at offset 32 (32 bytes, little-endian) while a function runs.
(module
  (import "kernel" "memory" (memory 9))
  ;; Puts the lanes of an empty hash at offset 32.
  (func (export "begin")
    (i64.store offset=32 (i32.const 0) (i64.const 0x60ea27eeadc0b5d6))
    (i64.store offset=40 (i32.const 0) (i64.const 0xc2b2ae3d27d4eb4f))
    (i64.store offset=48 (i32.const 0) (i64.const 0))
    (i64.store offset=56 (i32.const 0) (i64.const 0x61c8864e7a143579)))
  ;; Takes the bytes from `at` up to `end`, a multiple of 32.
  (func (export "stripes") (param $at i32) (param $end i32)
    (local $a i64) (local $b i64) (local $c i64) (local $d i64)
    (local.set $a (i64.load offset=32 (i32.const 0)))
    (local.set $b (i64.load offset=40 (i32.const 0)))
    (local.set $c (i64.load offset=48 (i32.const 0)))
    (local.set $d (i64.load offset=56 (i32.const 0)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (i64.mul (i64.rotl (i64.add (local.get $a)
          (i64.mul (i64.load (local.get $at)) (i64.const 0xc2b2ae3d27d4eb4f)))
          (i64.const 31)) (i64.const 0x9e3779b185ebca87)))
        (local.set $b (i64.mul (i64.rotl (i64.add (local.get $b)
          (i64.mul (i64.load offset=8 (local.get $at)) (i64.const 0xc2b2ae3d27d4eb4f)))
          (i64.const 31)) (i64.const 0x9e3779b185ebca87)))
        (local.set $c (i64.mul (i64.rotl (i64.add (local.get $c)
          (i64.mul (i64.load offset=16 (local.get $at)) (i64.const 0xc2b2ae3d27d4eb4f)))
          (i64.const 31)) (i64.const 0x9e3779b185ebca87)))
        (local.set $d (i64.mul (i64.rotl (i64.add (local.get $d)
          (i64.mul (i64.load offset=24 (local.get $at)) (i64.const 0xc2b2ae3d27d4eb4f)))
          (i64.const 31)) (i64.const 0x9e3779b185ebca87)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $next)))
    (i64.store offset=32 (i32.const 0) (local.get $a))
    (i64.store offset=40 (i32.const 0) (local.get $b))
    (i64.store offset=48 (i32.const 0) (local.get $c))
    (i64.store offset=56 (i32.const 0) (local.get $d)))
  ;; The hash of `total` bytes, of which the last, fewer than 32, lie from `at` up to `end`.
  (func (export "finish") (param $at i32) (param $end i32) (param $total i64) (result i64)
    (local $hash i64)
    (if (i64.ge_u (local.get $total) (i64.const 32))
      (then
        (local.set $hash (i64.add
          (i64.add (i64.rotl (i64.load offset=32 (i32.const 0)) (i64.const 1))
            (i64.rotl (i64.load offset=40 (i32.const 0)) (i64.const 7)))
          (i64.add (i64.rotl (i64.load offset=48 (i32.const 0)) (i64.const 12))
            (i64.rotl (i64.load offset=56 (i32.const 0)) (i64.const 18)))))
        (local.set $hash (call $merge (local.get $hash) (i64.load offset=32 (i32.const 0))))
        (local.set $hash (call $merge (local.get $hash) (i64.load offset=40 (i32.const 0))))
        (local.set $hash (call $merge (local.get $hash) (i64.load offset=48 (i32.const 0))))
        (local.set $hash (call $merge (local.get $hash) (i64.load offset=56 (i32.const 0)))))
      (else (local.set $hash (i64.const 0x27d4eb2f165667c5))))
    (local.set $hash (i64.add (local.get $hash) (local.get $total)))
    (block $wordsDone
      (loop $words
        (br_if $wordsDone (i32.gt_u (i32.add (local.get $at) (i32.const 8)) (local.get $end)))
        (local.set $hash (i64.add
          (i64.mul
            (i64.rotl (i64.xor (local.get $hash) (call $round (i64.load (local.get $at)))) (i64.const 27))
            (i64.const 0x9e3779b185ebca87))
          (i64.const 0x85ebca77c2b2ae63)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $words)))
    (if (i32.le_u (i32.add (local.get $at) (i32.const 4)) (local.get $end))
      (then
        (local.set $hash (i64.add
          (i64.mul
            (i64.rotl
              (i64.xor (local.get $hash) (i64.mul (i64.load32_u (local.get $at)) (i64.const 0x9e3779b185ebca87)))
              (i64.const 23))
            (i64.const 0xc2b2ae3d27d4eb4f))
          (i64.const 0x165667b19e3779f9)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))))
    (block $bytesDone
      (loop $bytes
        (br_if $bytesDone (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $hash (i64.mul
          (i64.rotl
            (i64.xor (local.get $hash) (i64.mul (i64.load8_u (local.get $at)) (i64.const 0x27d4eb2f165667c5)))
            (i64.const 11))
          (i64.const 0x9e3779b185ebca87)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $bytes)))
    (local.set $hash (i64.mul
      (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 33)))
      (i64.const 0xc2b2ae3d27d4eb4f)))
    (local.set $hash (i64.mul
      (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 29)))
      (i64.const 0x165667b19e3779f9)))
    (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))
  (func $round (param $word i64) (result i64)
    (i64.mul
      (i64.rotl (i64.mul (local.get $word) (i64.const 0xc2b2ae3d27d4eb4f)) (i64.const 31))
      (i64.const 0x9e3779b185ebca87)))
  (func $merge (param $hash i64) (param $lane i64) (result i64)
    (i64.add
      (i64.mul (i64.xor (local.get $hash) (call $round (local.get $lane))) (i64.const 0x9e3779b185ebca87))
      (i64.const 0x85ebca77c2b2ae63))))
