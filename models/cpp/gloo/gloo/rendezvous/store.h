// See gloo/algorithm.h. The virtual functions stand in the order of Gloo's own table, from which c10d's store derives.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gloo::rendezvous {

class Store {
 public:
  using Bytes = std::vector<char>;
  virtual ~Store();
  virtual void set(const std::string& key, const Bytes& value) = 0;
  virtual Bytes get(const std::string& key) = 0;
  virtual void wait(const std::vector<std::string>& keys) = 0;
  virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& most) = 0;
  virtual bool has_v2_support();
  virtual std::vector<Bytes> multi_get(const std::vector<std::string>& keys);
  virtual void multi_set(const std::vector<std::string>& keys, const std::vector<Bytes>& values);
  virtual void append(const std::string& key, const Bytes& value);
  virtual int64_t add(const std::string& key, int64_t value);
};

}  // namespace gloo::rendezvous
